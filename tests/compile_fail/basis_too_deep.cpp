// name: a basis element nested too deep
// error: ScaledBasis: a basis element names a mode by at most 4 indices
// meaning: a basis element names a mode by at most four indices, each below 63.
// remedy: flatten the layout before taking its basis.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto walk = coalesce(Layout<_4, E<0, 1>>{});
#else
auto walk = coalesce(Layout<_4, E<0, 0, 0, 0, 1>>{});
#endif
