// Tables of operations: the whole golden files through --tsv, byte for byte, and tables with rows that fail.
#include "run_command.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace tilewright::test {
namespace {

std::string data_file(char const* name) { return std::string(TILEWRIGHT_TEST_DATA_DIR) + "/" + name; }

std::string text_of(std::string const& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The first line that differs, for the message.
void expect_same_lines(std::string const& actual, std::string const& expected) {
  std::istringstream a(actual), b(expected);
  std::string left, right;
  for (int line = 1; std::getline(b, right); ++line) {
    ASSERT_TRUE(std::getline(a, left)) << "the output ends before line " << line;
    ASSERT_EQ(left, right) << "line " << line;
  }
  EXPECT_FALSE(std::getline(a, left)) << left;
}

struct table {
  char const* verb;
  char const* file;
  long rows;
};

class golden : public testing::TestWithParam<table> {};

TEST_P(golden, equals_byte_for_byte) {
  std::string const expected = text_of(data_file(GetParam().file));
  ASSERT_EQ(std::count(expected.begin(), expected.end(), '\n'), GetParam().rows);
  outcome const marked = run_command({GetParam().verb, "--tsv", data_file(GetParam().file), "--mark-static"});
  EXPECT_EQ(marked.status, 0);
  EXPECT_EQ(marked.err, "");
  expect_same_lines(marked.out, expected);
  EXPECT_EQ(marked.out, expected);
}

TEST_P(golden, equals_without_marks_from_standard_input) {
  std::string expected = text_of(data_file(GetParam().file));
  outcome const plain = run_command({GetParam().verb, "--tsv", "-"}, expected);
  EXPECT_EQ(plain.status, 0);
  EXPECT_EQ(plain.err, "");
  // Arguments come back as they are; they and the operation's name keep their underscores.
  std::istringstream lines(expected);
  std::string without;
  for (std::string line; std::getline(lines, line);) {
    std::size_t const result = line.rfind('\t');
    std::string tail = line.substr(result);
    std::erase(tail, '_');
    without += line.substr(0, result) + tail + '\n';
  }
  expect_same_lines(plain.out, without);
}

INSTANTIATE_TEST_SUITE_P(tables, golden,
                         testing::Values(table{"eval", "layout_algebra.tsv", 1960},
                                         table{"tiled-copy", "tiled_copy.tsv", 200}),
                         [](auto const& used) { return used.index == 0 ? "layout_algebra" : "tiled_copy"; });

TEST(table_of_operations, rows_that_fail_are_reported_and_the_others_go_on) {
  outcome const result = run_command({"eval", "--tsv", "-"},
                                     "size\t(4,2):(1,4)\n"
                                     "compositon\t4:1 ; 2:1\n"
                                     "size\t(4\n"
                                     "\n"
                                     "composition\t(6,4):(1,8) ; 4:5\tignored\r\n"
                                     "size\n"
                                     "group\t(2,3,4):(1,2,6)\n"
                                     "group\t(2,3,4):(1,2,6) ; 0,2\n");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "size\t(4,2):(1,4)\t8\ngroup\t(2,3,4):(1,2,6) ; 0,2\t((2,3),4):((1,2),6)\n");
  EXPECT_EQ(result.err,
            "tilewright: standard input:2: there is no operation 'compositon'; did you mean 'composition'?\n"
            "  compositon\n"
            "  ^\n"
            "tilewright: standard input:3: expected ')' to close a tuple, found the end at position 3\n"
            "  (4\n"
            "    ^\n"
            "tilewright: standard input:5: composition: the stride of the right-hand layout and an extent of the "
            "left-hand layout do not divide one another (stride 5, extent 6); choose a tiler whose stride divides the "
            "extent or is a multiple of it (docs/errors.md#stride_does_not_divide)\n"
            "  (6,4):(1,8) ; 4:5\n"
            "  ^\n"
            "tilewright: standard input:6: expected a tab behind the operation\n"
            "  size\n"
            "      ^\n"
            "tilewright: standard input:7: expected the arguments of group(A, begin, end), found 1\n"
            "  (2,3,4):(1,2,6)\n"
            "  ^\n");
}

TEST(table_of_operations, facts_hold_in_all_rows) {
  outcome const result =
      run_command({"eval", "--tsv", "-", "M%8=0"}, "logical_divide\t(M,N):(1,M) ; <8:1,_>\nsize\t(M)\n");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, "logical_divide\t(M,N):(1,M) ; <8:1,_>\t((8,M/8),N):((1,8),M)\nsize\t(M)\tM\n");
  EXPECT_EQ(run_command({"eval", "--tsv", "-", "4:1"}).err,
            "tilewright: eval takes either --tsv or expressions, not '4:1' too\n");
}

TEST(table_of_tiled_copies, rows_that_fail_are_reported_and_the_others_go_on) {
  outcome const result = run_command({"tiled-copy", "--tsv", "-"},
                                     "tiled_copy\t64 ; 8 ; (8):(1) ; (8):(1) ; (64):(1) ; 3\n"
                                     "tiled_copy\t64 ; 8 ; (8):(1) ; (8):(1) ; (64):(1) ; 8\n"
                                     "tiled_copy\t64 ; 8 ; (8):(1) ; (8):(1) ; (64):(1)\n"
                                     "size\t4\n");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out,
            "tiled_copy\t64 ; 8 ; (8):(1) ; (8):(1) ; (64):(1) ; 3\t"
            "(64) ; (8,8):(8,1) ; ((8,1),(1)):((1,0),(0)) ; 24\n");
  EXPECT_EQ(
      result.err,
      "tilewright: standard input:2: tiled_copy: the thread index is beyond the copy's threads (thread 8, threads "
      "8); use a thread index below the number of threads (docs/errors.md#thread_out_of_range)\n"
      "tilewright: standard input:3: expected 'atom bits ; element bits ; thr ; val ; tensor ; thread'\n"
      "  64 ; 8 ; (8):(1) ; (8):(1) ; (64):(1)\n"
      "                                       ^\n"
      "tilewright: standard input:4: expected the operation tiled_copy\n"
      "  size\n"
      "  ^\n");
}

}  // namespace
}  // namespace tilewright::test
