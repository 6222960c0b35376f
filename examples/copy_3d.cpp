// A tiled copy of a volume (see copy_3d.hpp).
#include "examples/copy_3d.hpp"

int main() { return tilewright::examples::run_copy_3d(); }
