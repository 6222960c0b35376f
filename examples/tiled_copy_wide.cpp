// Two atoms for each thread and round (see tiled_copy_wide.hpp).
#include "examples/tiled_copy_wide.hpp"

int main() { return tilewright::examples::run_tiled_copy_wide(); }
