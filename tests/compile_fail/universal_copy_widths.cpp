// name: a copy between elements of different widths
// error: UniversalCopy<S,D>: a load and a store move the same bits
// meaning: a load and a store move the same bits.
// remedy: name one width for both, and convert in registers.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
using Atom = Copy_Atom<UniversalCopy<float, float>, float>;
int values = Atom::NumValSrc;
#else
using Atom = Copy_Atom<UniversalCopy<float, double>, float>;
int values = Atom::NumValSrc;
#endif
