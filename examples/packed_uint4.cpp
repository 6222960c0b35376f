// A tiled copy of 4-bit integers (see packed_uint4.hpp).
#include "examples/packed_uint4.hpp"

int main() { return tilewright::examples::run_packed_uint4(); }
