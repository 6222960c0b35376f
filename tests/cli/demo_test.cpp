// tilewright demo on small tensors: its parts in their order, every check passed, nothing on stderr.
#include "run_command.hpp"

namespace tilewright::test {
namespace {

TEST(demo, shows_the_documents_programs_and_the_large_copies) {
  outcome const demo = run_command({"demo", "--matrix", "512", "--bytes", "2M"});
  EXPECT_EQ(demo.status, 0);
  EXPECT_EQ(demo.err, "");
  std::size_t at = 0;
  for (char const* part :
       {"Tile ownership map (16 x 8), 32 threads:", "row 15:    15    31    47", "one round:    (_16,_8)",
        "one round:    (_32,_8)", "=== Block (0,0), Thread 0 partition ===", "Thread 0 owns elements:",
        "TV layout, derived: ((_16,_8),_8):((_64,_1),_8)", "tiled copy: the same in all registers",
        "thread_layout_A_smem_tensor_A", "all 262144 elements are right", "all 524288 elements are right"}) {
    std::size_t const found = demo.out.find(part, at);
    ASSERT_NE(found, std::string::npos) << part << " is missing in\n" << demo.out;
    at = found;
  }
  EXPECT_EQ(demo.out.find("WRONG"), std::string::npos);
  EXPECT_EQ(demo.out.find('\r'), std::string::npos) << "lines are written over only on a terminal";
  for (char const* figure : {"512 x 512 float, row-major to column-major, by copy(src, dst): ",
                             "512 x 512 float, row-major to column-major, by a kernel of tiled copies: ",
                             "2 MB vector, by a kernel of a tiled copy: "}) {
    std::size_t const found = demo.out.rfind(figure);
    ASSERT_NE(found, std::string::npos) << figure;
    std::string const line = demo.out.substr(found, demo.out.find('\n', found) - found);
    EXPECT_NE(line.find(" GB/s, "), std::string::npos) << line;
    EXPECT_NE(line.find(" % of memcpy ("), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace tilewright::test
