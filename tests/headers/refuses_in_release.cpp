// Compiled with -O2 -DNDEBUG by refuses_in_release.py: every call is refused, and prints why.
#include <cstdio>
#include <cstdlib>

#include "tilewright/tilewright.hpp"

#if !defined(NDEBUG)
#error "this program is about builds without assertions"
#endif

using namespace tilewright;

template <class Call>
void refused(Call const& call) {
  try {
    call();
    std::puts("accepted");
  } catch (layout_error const& e) {
    std::puts(e.what());
  }
}

int main() {
  int const four = std::atoi("4"), eight = std::atoi("8");
  float from[64] = {}, to[64] = {};
  bool moves[64] = {};
  auto const source = make_tensor(&from[0], make_shape(eight, four));
  auto const other = make_tensor(&to[0], make_shape(four, eight));
  auto const wider = make_tensor(&to[0], make_shape(eight, four + 1));
  auto const predicate = make_tensor(&moves[0], make_shape(four, eight));
  auto const of_source = make_tensor(&moves[0], make_shape(eight, four));
  refused([&] { copy(source, other); });
  refused([&] { copy(source, wider); });
  refused([&] { copy_if(of_source, source, other); });
  refused([&] { copy_if(predicate, source, make_tensor(&to[0], make_shape(eight, four))); });
  refused([&] { transform(source, other, [](float x) { return x; }); });
  refused([&] { axpby(1.0f, source, 0.0f, other); });
}
