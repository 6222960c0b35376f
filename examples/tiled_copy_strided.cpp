// The scalar atom on a strided tensor (see tiled_copy_strided.hpp).
#include "examples/tiled_copy_strided.hpp"

int main() { return tilewright::examples::run_tiled_copy_strided(); }
