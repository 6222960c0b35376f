// name: a wait for fewer than no bulk copies
// error: tma_store_wait<N>: N groups may stay in flight, 0 or more
// meaning: N is the number of the latest groups that may still read shared memory.
// remedy: wait for 0, which is all of them.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void finish() { tma_store_wait<0>(); }
#else
void finish() { tma_store_wait<-1>(); }
#endif
