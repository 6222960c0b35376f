// name: strides beyond 64 bits
// error: arithmetic: a size, stride or offset does not fit 64 bits
// meaning: the compact stride of the last mode would be 2^80.
// remedy: use smaller extents, or give the strides.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto volume = make_layout(Shape<C<(1LL << 30)>, C<(1LL << 30)>, _2>{});
#else
auto volume = make_layout(Shape<C<(1LL << 40)>, C<(1LL << 40)>, _2>{});
#endif
