// archs: 90a
// A product of matrices by warpgroups and TMA, or on a CPU (see gemm_sm90.hpp).
#include "examples/gemm_sm90.hpp"

int main() { return tilewright::examples::run_gemm_sm90(); }
