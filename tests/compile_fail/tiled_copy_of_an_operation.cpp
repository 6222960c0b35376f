// name: an operation where an atom belongs
// error: make_tiled_copy: the first argument is not a copy atom
// meaning: an operation such as UniversalCopy<float> moves bits; Copy_Atom says of which elements.
// remedy: wrap it in Copy_Atom<…, element>.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

using Atom = Copy_Atom<UniversalCopy<float>, float>;
using Threads = Layout<Shape<_8, _4>>;
using Values = Layout<Shape<_4, _1>>;

#ifdef TILEWRIGHT_FIXED
auto tiled = make_tiled_copy(Atom{}, Threads{}, Values{});
#else
auto tiled = make_tiled_copy(UniversalCopy<float>{}, Threads{}, Values{});
#endif
