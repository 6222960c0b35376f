// name: element types that no product of a warpgroup has
// error: ss_op_selector: no matrix operation of a warpgroup has these element types
// meaning: bf16 is added up in float alone.
// remedy: use float results.
#include "tilewright/mma/gmma_selectors.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
using Result = float;
#else
using Result = bfloat16_t;
#endif

void kernel() { (void)GMMA::ss_op_selector<bfloat16_t, bfloat16_t, Result, Shape<_64, _64, _64>>(); }
