// name: a wait for fewer than no copies
// error: cp_async_wait<N>: N groups may stay in flight, 0 or more
// meaning: N is the number of the latest groups that need not be complete.
// remedy: wait for 0, which is all of them.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void finish() { cp_async_wait<0>(); }
#else
void finish() { cp_async_wait<-1>(); }
#endif
