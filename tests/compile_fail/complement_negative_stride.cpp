// name: the complement of a reversed layout
// error: this operation needs non-negative strides
// meaning: a layout that runs backwards reaches offsets below zero, which no target contains.
// remedy: take the complement of the forward layout, and reverse afterwards.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto rest = complement(Layout<_4, _1>{}, _16{});
#else
auto rest = complement(Layout<_4, Int<-1>>{}, _16{});
#endif
