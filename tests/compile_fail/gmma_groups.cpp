// name: a wait for a negative number of groups of products
// error: warpgroup_wait<N>: N groups may stay in flight, 0 to 7
// meaning: the number is that of the latest groups that need not be complete.
// remedy: use 0 to wait for all.
#include "tilewright/mma/sm90_gmma.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel() { warpgroup_wait<0>(); }
#else
void kernel() { warpgroup_wait<-1>(); }
#endif
