// A cooperative copy without a tiled copy (see manual_partition.hpp).
#include "examples/manual_partition.hpp"

int main() { return tilewright::examples::run_manual_partition(); }
