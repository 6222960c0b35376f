// Remainders by stating the bounds (see ragged_matrix.hpp).
#include "examples/ragged_matrix.hpp"

int main() { return tilewright::examples::run_ragged_matrix(); }
