// The rows are checked when their parts compile; here they are counted, so that none went missing.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

int typed_rows();

namespace {

int lines_of(char const* name) {
  std::ifstream file(std::string(TILEWRIGHT_TEST_DATA_DIR "/") + name);
  int count = 0;
  for (std::string line; std::getline(file, line);) ++count;
  return count;
}

TEST(TypedOracle, EveryRowIsATypeThatMatches) {
  EXPECT_EQ(lines_of("layout_algebra.tsv"), 1960);
  EXPECT_EQ(lines_of("tiled_copy.tsv"), 200);
  EXPECT_EQ(typed_rows(), 1960 + 200);
}

}  // namespace
