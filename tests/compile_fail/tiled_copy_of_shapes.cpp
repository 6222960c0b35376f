// name: shapes where layouts belong
// error: make_tiled_copy: after the copy atom come the thread layout and the value layout
// meaning: a shape does not say in which order the threads are.
// remedy: make layouts of the shapes.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

using Atom = Copy_Atom<UniversalCopy<float>, float>;
using Threads = Layout<Shape<_8, _4>>;
using Values = Layout<Shape<_4, _1>>;

#ifdef TILEWRIGHT_FIXED
auto tiled = make_tiled_copy(Atom{}, make_layout(Shape<_8, _4>{}), make_layout(Shape<_4, _1>{}));
#else
auto tiled = make_tiled_copy(Atom{}, Shape<_8, _4>{}, Shape<_4, _1>{});
#endif
