// name: a tile that no product of a warpgroup divides
// error: ss_op_selector: the tile is not static, or its M is not a multiple of 64
// meaning: a warpgroup multiplies 64 rows at a time, and the tile has 32.
// remedy: use a tile whose M is a multiple of 64.
#include "tilewright/mma/gmma_selectors.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
using Chosen = Shape<_64, _64, _64>;
#else
using Chosen = Shape<_32, _64, _64>;
#endif

void kernel() { (void)GMMA::ss_op_selector<half_t, half_t, float, Chosen>(); }
