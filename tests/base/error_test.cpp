// Errors: every code has one sentence with both operands, the rule, the remedy and its page; results carry them.
#include "tilewright/base/error_text.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace tilewright {
namespace {

std::vector<errc> const every_code{
#define TILEWRIGHT_X(code, rule, first, second, remedy) errc::code,
#include "tilewright/base/error_list.def"
#undef TILEWRIGHT_X
};

TEST(error, is_one_sentence_with_rule_operands_remedy_and_page) {
  std::set<std::string> rules;
  for (errc code : every_code) {
    std::string const sentence = to_string(error{code, 41, -7});
    error_text const text = describe(code);
    EXPECT_NE(sentence.find(text.rule), std::string::npos) << sentence;
    EXPECT_NE(sentence.find(std::string(text.first) + " 41, " + text.second + " -7"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find(text.remedy), std::string::npos) << sentence;
    EXPECT_NE(sentence.find(std::string("docs/errors.md#") + text.name), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find(". "), std::string::npos) << sentence;
    EXPECT_TRUE(rules.insert(text.rule).second) << "two errors say: " << text.rule;
  }
}

TEST(error, reads_like_this) {
  EXPECT_EQ(
      to_string(error{errc::coordinate_out_of_range, 9, 8}),
      "the coordinate is out of range (coordinate 9, extent 8); use coordinates from 0 to extent - 1 in each mode "
      "(docs/errors.md#coordinate_out_of_range)");
  EXPECT_EQ(to_string(error{}), "no error");
}

TEST(error, results_hold_a_value_or_an_error) {
  constexpr result<int> good = 4;
  constexpr result<int> bad = error{errc::overflow, 1, 2};
  static_assert(good && *good == 4 && !bad && bad.error().code == errc::overflow);
  EXPECT_EQ(good.value(), 4);
  try {
    (void)bad.value();
    FAIL() << "value() of an error must throw";
  } catch (layout_error const& e) {
    EXPECT_EQ(e.cause(), (error{errc::overflow, 1, 2}));
    EXPECT_EQ(std::string(e.what()), to_string(e.cause()));
  }
}

}  // namespace
}  // namespace tilewright
