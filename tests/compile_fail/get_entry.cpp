// name: an entry beyond the tuple
// error: get: the tuple has no such entry
// meaning: a coordinate of two entries is asked for its third.
// remedy: ask for an entry below the tuple's size.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
int column_index(int m, int n) {
  auto coord = make_coord(m, n);
  return get<1>(coord);
}
#else
int depth_index(int m, int n) {
  auto coord = make_coord(m, n);
  return get<2>(coord);
}
#endif
