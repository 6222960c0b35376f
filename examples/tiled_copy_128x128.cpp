// A tile larger than one round of the tiled copy (see tiled_copy_128x128.hpp).
#include "examples/tiled_copy_128x128.hpp"

int main() { return tilewright::examples::run_tiled_copy_128x128(); }
