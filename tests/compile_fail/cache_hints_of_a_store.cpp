// name: a store with a load's cache hint
// error: GlobalStore: no store has these cache hints
// meaning: read_only and the prefetches say how a load treats the caches; no store has them, nor two of write_through,
//   streaming and no_allocate, nor two evictions.
// remedy: give the load's hints to GlobalLoad, and the store one hint of each kind.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
int values = Copy_Atom<GlobalStore<uint128_t, cache::streaming>, float>::NumValSrc;
#else
int values = Copy_Atom<GlobalStore<uint128_t, cache::read_only>, float>::NumValSrc;
#endif
