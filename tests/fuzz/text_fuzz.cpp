// Hostile text: the first byte chooses what to read (layout, tuple, tiler, swizzle); what is read must be written and
// read back the same, what is refused must be refused with a place inside the text.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tilewright/layout/text.hpp"

namespace {

using namespace tilewright;

void expect(bool holds, char const* what, std::string const& text) {
  if (holds) return;
  std::fprintf(stderr, "%s: %s\n", what, text.c_str());
  std::abort();
}

swizzle_value parse_swizzle(std::string const& text) {
  layout_reader reader(text);
  swizzle_value const out = reader.read_swizzle();
  reader.expect_end();
  return out;
}

void read(char what, std::string const& text) {
  switch (what & 3) {
    case 0: {
      layout_value const a = parse_layout(text);
      return expect(parse_layout(format_layout(a)) == a, "layout", text);
    }
    case 1: {
      int_tree const a = parse_tuple(text);
      return expect(parse_tuple(format_tuple(a)) == a, "tuple", text);
    }
    case 2: {
      tiler_value const a = parse_tiler(text);
      return expect(parse_tiler(format_tuple(a)) == a, "tiler", text);
    }
    default: {
      swizzle_value const s = parse_swizzle(text);
      expect(s.valid() && parse_swizzle(format_swizzle(s)) == s, "swizzle", text);
      return expect(s(s(12345)) == 12345, "swizzle", text);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  if (size == 0 || size > 4096) return 0;
  std::string const text(reinterpret_cast<char const*>(data) + 1, size - 1);
  try {
    read(static_cast<char>(data[0]), text);
  } catch (text_error const& e) {
    expect(e.position() <= text.size() && e.caret().size() >= text.size(), "place", text);
  }
  return 0;
}
