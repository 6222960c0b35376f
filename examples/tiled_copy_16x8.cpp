// The first tiled copy: an ownership map and a copy from global to shared memory (see tiled_copy_16x8.hpp).
#include "examples/tiled_copy_16x8.hpp"

int main() { return tilewright::examples::run_tiled_copy_16x8(); }
