// name: a size beyond 64 bits
// error: arithmetic: a size, stride or offset does not fit 64 bits
// meaning: 2^40 by 2^40 elements are 2^80.
// remedy: use smaller extents.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto elements = size(Shape<C<(1LL << 30)>, C<(1LL << 30)>>{});
#else
auto elements = size(Shape<C<(1LL << 40)>, C<(1LL << 40)>>{});
#endif
