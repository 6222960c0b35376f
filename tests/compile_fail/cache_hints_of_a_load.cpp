// name: a load with a store's cache hint
// error: GlobalLoad: no load has these cache hints
// meaning: write_through says how a store treats the caches; no load has it, nor two of the hints that exclude each
//   other: l2_only, streaming and no_allocate, two prefetches, two evictions.
// remedy: give the load one hint of each kind.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
int values = Copy_Atom<GlobalLoad<uint128_t, cache::streaming | cache::evict_first>, float>::NumValSrc;
#else
int values = Copy_Atom<GlobalLoad<uint128_t, cache::write_through>, float>::NumValSrc;
#endif
