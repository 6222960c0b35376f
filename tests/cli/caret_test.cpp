// A layout that is none: every verb that reads one says so, and points a caret at the character that is wrong.
#include "run_command.hpp"

namespace tilewright::test {
namespace {

struct mistake {
  std::vector<std::string> arguments;
  char const* text;        // that is wrong, as it was given
  std::size_t column = 0;  // of the wrong character
};

class caret : public testing::TestWithParam<mistake> {};

TEST_P(caret, points_at_the_wrong_character) {
  mistake const& m = GetParam();
  outcome const result = run_command(m.arguments);
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
  std::string const marked = "\n  " + std::string(m.text) + "\n  " + std::string(m.column, ' ') + "^\n";
  EXPECT_TRUE(result.err.ends_with(marked)) << result.err << "wanted:" << marked;
  EXPECT_EQ(result.err.find("tilewright: "), 0u);
}

std::vector<std::string> tiled(std::vector<std::string> verb, char const* thr, char const* val, char const* tensor) {
  for (char const* word :
       {"--atom-bits", "128", "--element-bits", "32", "--thr", thr, "--val", val, "--tensor", tensor})
    verb.emplace_back(word);
  return verb;
}

INSTANTIATE_TEST_SUITE_P(
    verbs, caret,
    testing::Values(mistake{{"eval", "(4,8):(8;1)"}, "(4,8):(8;1)", 8},
                    mistake{{"explain", "(4,8):(8,1"}, "(4,8):(8,1", 10},
                    mistake{{"explain", "(4,8):(8,1)", "--tile", "(4,8"}, "(4,8", 4},
                    mistake{{"explain", "(4,8)", "(4,8]", "--element", "f32"}, "(4,8]", 4},
                    mistake{{"check", "(4,8):(8,,1)", "--injective"}, "(4,8):(8,,1)", 9},
                    mistake{{"plan", "(4,8):(8,1)", "(4,8):(1,x)", "--element", "f32"}, "(4,8):(1,x)", 9},
                    mistake{{"plan", "(4,8):(8,1)", "(4,8):(1,4", "--element", "f32"}, "(4,8):(1,4", 10},
                    mistake{{"bench", "(4,8):8,1", "(4,8)", "--element", "f32"}, "(4,8):8,1", 6},
                    mistake{{"plot", "(4,8):(8,1"}, "(4,8):(8,1", 10},
                    mistake{{"plot", "(4,8)", "(4,8):(1,)", "--element", "f32"}, "(4,8):(1,)", 9},
                    mistake{{"plot", "(8,8)", "--view", "divide", "--by", "(2,4"}, "(2,4", 4},
                    mistake{tiled({"tiled-copy"}, "(4,8", "(1,1)", "(16,8)"), "(4,8", 4},
                    mistake{tiled({"explain"}, "(4,8)", "(4,1)", "(16,8):(1,16"), "(16,8):(1,16", 12},
                    mistake{tiled({"check", "--covers"}, "(4,8)", "(4 1)", "(16,8)"), "(4 1)", 3},
                    mistake{tiled({"plot"}, "(4,8)x", "(4,1)", "(16,8)"), "(4,8)x", 5}));

}  // namespace
}  // namespace tilewright::test
