// A launch that watches its kernel (see checked_launch.hpp).
#include "examples/checked_launch.hpp"

int main() { return tilewright::examples::run_checked_launch(); }
