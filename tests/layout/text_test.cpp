// Layouts as text: everything written is read back the same, and what is no layout is refused with the place.
#include "tilewright/layout/text.hpp"

#include "generators.hpp"

namespace tilewright::tests {
namespace {

std::string error_of(std::string const& text, auto const& parse) {
  try {
    (void)parse(text);
  } catch (text_error const& e) {
    EXPECT_LE(e.position(), text.size());
    EXPECT_EQ(e.caret(), text + "\n" + std::string(e.position(), ' ') + "^");
    return e.what();
  }
  return "";
}
std::string layout_error_of(std::string const& text) {
  return error_of(text, [](std::string const& t) { return parse_layout(t); });
}

TEST(text, reads_and_writes_layouts) {
  for (char const* same : {"8:1", "(8):(1)", "((4,2),8):((1,16),4)", "(4,8):(-1,0)", "(2,(3,())):(1,(2,()))",
                           "((4,2),8):((1@0@0,1@1@0),1@1)", "(2,3):(2@0,5@3@2@1@0)", "():()"})
    EXPECT_EQ(format_layout(parse_layout(same)), same);
  EXPECT_EQ(format_layout(parse_layout(" ( _4 , 8 ) : ( _1,_-4 ) ")), "(4,8):(1,-4)");
  EXPECT_EQ(format_layout(parse_layout("((4,2),8)")), "((4,2),8):((1,4),8)");
  text_style marked;
  marked.mark_static = true;
  EXPECT_EQ(format_layout(parse_layout("(4,8):(1,2@1)"), marked), "(_4,_8):(_1,_2@1)");
}

TEST(text, reads_and_writes_tuples_and_tilers) {
  for (char const* same : {"5", "-5", "_", "(1,_,(2,_))", "()"}) EXPECT_EQ(format_tuple(parse_tuple(same)), same);
  EXPECT_EQ(format_tuple(parse_tiler("<4:1,8:2>")), "(4:1,8:2)");
  EXPECT_EQ(format_tuple(parse_tiler("<4,_,(2,(3,4):(1,3))>")), "(4,_,(2,(3,4):(1,3)))");
  EXPECT_EQ(format_tuple(parse_tiler("(4,2):(1,8)")), "(4,2):(1,8)");
  EXPECT_EQ(format_tuple(parse_tiler("(4,2)")), "(4,2)");
}

RC_GTEST_PROP(text, round_trip, ()) {
  layout_value const a = any_layout(6, {0, 1, 2, 3, 64, 2147483647}, {-5, 0, 1, 7, 2147483647});
  RC_ASSERT(parse_layout(format_layout(a)) == a);
  text_style marked;
  marked.mark_static = true;
  RC_ASSERT(parse_layout(format_layout(a, marked)) == a);
}

TEST(text, says_what_was_expected_and_where) {
  EXPECT_EQ(layout_error_of("(4,8"), "expected ')' to close a tuple, found the end at position 5");
  EXPECT_EQ(layout_error_of("(4,8):(1"),
            "expected ',' since the shape has more modes here, found the end at position 9");
  EXPECT_EQ(layout_error_of("(4,8):(1,2,3)"),
            "expected ')' since the shape's tuple ends here, found ',' at position 11");
  EXPECT_EQ(layout_error_of("4:(1,2)"), "expected an integer since the shape has a leaf here, found '(' at position 3");
  EXPECT_EQ(layout_error_of("(4,x)"), "expected an integer; names are not known here, found 'x' at position 4");
  EXPECT_EQ(layout_error_of("4:1 5"), "expected the end of the text, found '5' at position 5");
  EXPECT_EQ(layout_error_of("-4:1"), "expected an extent of 0 or more, found '-' at position 1");
  EXPECT_EQ(layout_error_of("\x01"), "expected an integer, found byte 1 at position 1");
  EXPECT_EQ(layout_error_of("99999999999999999999:1"),
            "expected an integer of at most 64 bits, found '9' at position 1");
  EXPECT_NE(layout_error_of("(_,4):(1,2)"), "");
  EXPECT_NE(layout_error_of("4:1@"), "");
  EXPECT_NE(layout_error_of("4:1@63"), "");
  EXPECT_NE(layout_error_of("4:1@1@1@1@1@1"), "");
  EXPECT_NE(layout_error_of("(4611686018427387904,8)"), "");
  EXPECT_NE(layout_error_of(""), "");
}

TEST(text, refuses_what_is_too_large) {
  std::string deep(2000, '('), wide = "(1";
  for (int i = 0; i < 70; ++i) wide += ",1";
  EXPECT_NE(layout_error_of(deep), "");
  EXPECT_NE(layout_error_of(wide + ")"), "");
  std::string nothing = "(()";
  for (int i = 0; i < 200; ++i) nothing += ",()";
  EXPECT_NE(layout_error_of(nothing + ")"), "");
  auto const tiler = [](std::string const& t) { return parse_tiler(t); };
  EXPECT_NE(error_of(deep, tiler), "");
  EXPECT_NE(error_of(std::string(2000, '<'), tiler), "");
  EXPECT_NE(error_of(wide + ")", tiler), "");
}

TEST(text, names_become_symbols) {
  arithmetic c{};
  std::vector<std::string> names;
  layout_reader reader("(M,N):(1,M)", [&](std::string_view name) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == name) return dynamic_leaf(static_cast<long long>(i), number_type::int32);
    names.emplace_back(name);
    return c.input(number_type::int32);
  });
  layout_value const a = reader.read_layout();
  text_style style;
  style.pool = &c;
  style.names = names;
  EXPECT_EQ(format_layout(a, style), "(M,N):(1,M)");
  leaf const n = c.div(c.add(algebra::size(c, a), constant_leaf(1)), constant_leaf(4));
  EXPECT_EQ(text::of(n, style), "(M*N+1)/4");
  EXPECT_EQ(text::of(c.sub(a.shape[0], c.sub(a.shape[1], constant_leaf(2))), style), "M-(N-2)");
  EXPECT_EQ(text::of(c.min(a.shape[0], constant_leaf(2)), style), "min(M,2)");
}

TEST(text, swizzles) {
  auto const swizzle = [](std::string const& t) {
    layout_reader reader(t);
    return format_swizzle(reader.read_swizzle());
  };
  EXPECT_EQ(swizzle("Sw<3,4,3>"), "Sw<3,4,3>");
  EXPECT_EQ(swizzle("S<1,0,-2>"), "Sw<1,0,-2>");
  for (char const* bad :
       {"Sw<3,4,2>", "Sw<3,4>", "Sw<40,20,40>", "Sw<-1,0,1>", "Sw<1,1,99999999999>", "Sx<1,1,1>", "Sw"})
    EXPECT_NE(error_of(bad, swizzle), "") << bad;
}

}  // namespace
}  // namespace tilewright::tests
