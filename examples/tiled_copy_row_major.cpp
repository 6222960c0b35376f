// 128-bit accesses to a row-major tile (see tiled_copy_row_major.hpp).
#include "examples/tiled_copy_row_major.hpp"

int main() { return tilewright::examples::run_tiled_copy_row_major(); }
