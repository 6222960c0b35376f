// Four ways to partition one copy (see four_copies.hpp).
#include "examples/four_copies.hpp"

int main() { return tilewright::examples::run_four_copies(); }
