// Prints a tiled copy and one thread's partitions (see tiled_copy_preview.hpp).
#include "examples/tiled_copy_preview.hpp"

int main() { return tilewright::examples::run_tiled_copy_preview(); }
