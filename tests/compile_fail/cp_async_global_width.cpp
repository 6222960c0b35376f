// name: cp.async.cg of eight bytes
// error: cp.async: the instruction carries 4, 8 or 16 bytes, 16 alone where it bypasses L1 (CACHEGLOBAL)
// meaning: the variant that bypasses L1 carries 16 bytes only.
// remedy: carry 16 bytes, or use SM80_CP_ASYNC_CACHEALWAYS.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
using Atom = Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<word<128>>, float>;
int values = Atom::NumValSrc;
#else
using Atom = Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<word<64>>, float>;
int values = Atom::NumValSrc;
#endif
