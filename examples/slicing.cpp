// Tiles for blocks, elements for threads (see slicing.hpp).
#include "examples/slicing.hpp"

int main() { return tilewright::examples::run_slicing(); }
