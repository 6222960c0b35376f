// A product of matrices on tensor cores, or on a CPU (see gemm_sm80.hpp).
#include "examples/gemm_sm80.hpp"

int main() { return tilewright::examples::run_gemm_sm80(); }
