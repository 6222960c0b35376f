// `tilewright convert` as a user meets it: what it says when it is done, and what it refuses. The bytes that it writes are
// compared with NumPy's in convert_numpy_test.py.
#include "run_command.hpp"
#include "scratch_folder.hpp"

#include <sys/stat.h>
#include <algorithm>
#include <filesystem>

#include "tilewright/engine/npy.hpp"

namespace tilewright::test {
namespace {

class convert_files : public testing::Test {
 protected:
  void SetUp() override { write(at("in.npy"), write_npy_header({"|u1", false, {2, 3}}) + "abcdef"); }

  std::string at(std::string const& name) const { return folder_.at(name); }

  outcome convert(std::vector<std::string> const& options, std::string const& in = "in.npy") const {
    std::vector<std::string> words{"convert", at(in), at("out.npy")};
    words.insert(words.end(), options.begin(), options.end());
    return run_command(words);
  }

  void expect_refused(std::vector<std::string> const& options, std::string const& message,
                      std::string const& in = "in.npy") const {
    outcome const result = convert(options, in);
    EXPECT_EQ(result.status, 2) << message;
    EXPECT_EQ(result.out, "") << message;
    EXPECT_EQ(result.err, "tilewright: " + message + "\n");
    EXPECT_FALSE(std::filesystem::exists(at("out.npy"))) << message;
  }

  std::string output() const { return contents(at("out.npy")); }

  scratch folder_;
};

TEST_F(convert_files, says_in_one_line_what_it_wrote) {
  outcome const result = convert({"--permute", "1,0", "--verify"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out.rfind("wrote '" + at("out.npy") + "': (3, 2) of '|u1', 134 bytes in ", 0), 0u) << result.out;
  EXPECT_NE(result.out.find("; every element verified\n"), std::string::npos) << result.out;
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 1) << "no progress where there is no terminal";
  EXPECT_EQ(output(), write_npy_header({"|u1", false, {3, 2}}) + "adbecf");
}

TEST_F(convert_files, keeps_what_is_there_unless_it_is_told_not_to) {
  ASSERT_EQ(convert({}).status, 0);
  std::string const first = output();
  outcome const again = convert({"--permute", "1,0"});
  EXPECT_EQ(again.status, 2);
  EXPECT_EQ(again.err, "tilewright: '" + at("out.npy") + "' exists; --force replaces it\n");
  EXPECT_EQ(output(), first);
  EXPECT_EQ(convert({"--permute", "1,0", "--force"}).status, 0);
  EXPECT_NE(output(), first);
}

TEST_F(convert_files, refuses_options_that_mean_nothing) {
  EXPECT_EQ(run_command({"convert"}).err, "tilewright: convert needs two files, such as in.npy out.npy\n");
  EXPECT_EQ(run_command({"convert", "a.npy"}).err, "tilewright: convert needs two files, such as in.npy out.npy\n");
  expect_refused({"--permute", "1,0", "--order", "F"}, "convert takes one of --permute, --to and --order");
  expect_refused({"--order", "K"}, "convert: --order is C, the last axis fastest, or F, the first; not 'K'");
  expect_refused({"--device", "gpu"}, "convert: --device is cpu, cuda or cuda:NUMBER, not 'gpu'");
  expect_refused({"--threads", "-1"}, "convert: --threads is 1 to 4096, or 0 for all, not -1");
  expect_refused({"--memory=-1"}, "convert: --memory is a number of bytes, not -1");
  expect_refused({"--memory", "2X"}, "expected the end of the text, found 'X' at position 2\n  2X\n   ^");
  expect_refused({"--permute", "1;0"}, "expected the end of the text, found ';' at position 2\n  1;0\n   ^");
  expect_refused({"--permute", "0,1,2"}, "convert: --permute 0,1,2 names 3 axes and the array (2, 3) has 2");
  expect_refused({"--to", "(2,3:1"}, "expected ')' to close a tuple, found the end at position 7\n  (2,3:1\n        ^");
  expect_refused({"--to", "(M,3)"}, "expected a layout of integers, not of names\n  (M,3)\n  ^");
  expect_refused({"--to", "(3,2)"},
                 "convert: mode 0 of the layout (3,2):(1,3) has 3 elements and axis 0 of the array (2, 3) "
                 "has 2");
  expect_refused({"--verfy"}, "convert does not take '--verfy'; did you mean '--verify'?");
  outcome const twice = convert({"--to", "(2,3):(0,1)"});
  EXPECT_EQ(twice.status, 2);
  EXPECT_EQ(std::count(twice.err.begin(), twice.err.end(), '\n'), 1) << twice.err;
  EXPECT_FALSE(std::filesystem::exists(at("out.npy")));
}

TEST_F(convert_files, refuses_inputs_that_are_no_arrays) {
  expect_refused({}, "'" + at("missing.npy") + "' cannot be read: No such file or directory", "missing.npy");
  std::filesystem::create_directory(at("folder"));
  expect_refused({}, "'" + at("folder") + "' is a folder, not a file", "folder");
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  expect_refused({}, "'" + at("pipe") + "' is no regular file; only those can be mapped, so write it to one first",
                 "pipe");
  write(at("empty"), "");
  expect_refused({},
                 "'" + at("empty") +
                     "' cannot be converted: the file has 0 bytes and ends inside the version of its "
                     "format, which goes on to byte 8",
                 "empty");
}

TEST_F(convert_files, a_gpu_that_is_not_there_is_said_to_be_missing) {
  outcome const result = convert({"--device", "cuda:9999"});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_FALSE(std::filesystem::exists(at("out.npy")));
}

}  // namespace
}  // namespace tilewright::test
