// name: the atom after the layouts
// error: make_tiled_copy: the copy atom comes first
// meaning: the order is atom, threads, values.
// remedy: put the atom first.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

using Atom = Copy_Atom<UniversalCopy<float>, float>;
using Threads = Layout<Shape<_8, _4>>;
using Values = Layout<Shape<_4, _1>>;

#ifdef TILEWRIGHT_FIXED
auto tiled = make_tiled_copy(Atom{}, Threads{}, Values{});
#else
auto tiled = make_tiled_copy(Threads{}, Values{}, Atom{});
#endif
