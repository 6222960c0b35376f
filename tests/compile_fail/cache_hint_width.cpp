// name: cache hints for an access of two bytes
// error: GlobalLoad, GlobalStore: an access with cache hints carries 4, 8, 16 or 32 bytes
// meaning: the atoms with cache hints carry 4, 8, 16 or 32 bytes at once.
// remedy: carry several elements at once, or use UniversalCopy.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
int values = Copy_Atom<GlobalLoad<word<32>, cache::read_only>, std::uint16_t>::NumValSrc;
#else
int values = Copy_Atom<GlobalLoad<std::uint16_t, cache::read_only>, std::uint16_t>::NumValSrc;
#endif
