// name: cp.async of two bytes
// error: cp.async: the instruction carries 4, 8 or 16 bytes
// meaning: the instruction carries 4, 8 or 16 bytes; two bytes have no asynchronous copy.
// remedy: carry several elements at once, or copy synchronously.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
using Atom = Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<word<64>>, std::uint16_t>;
int values = Atom::NumValSrc;
#else
using Atom = Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<std::uint16_t>, std::uint16_t>;
int values = Atom::NumValSrc;
#endif
