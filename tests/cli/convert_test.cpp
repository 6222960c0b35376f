// `tilewright convert` as a user meets it: what it says when it is done, and what it refuses. The bytes that it writes are
// compared with NumPy's in convert_numpy_test.py.
#include "run_command.hpp"
#include "scratch_folder.hpp"

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
  EXPECT_NE(result.out.find("; read back, every element compared\n"), std::string::npos) << result.out;
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
  expect_refused({"--order", "K"},
                 "convert: --order is C, the last axis fastest, or F, the first axis fastest, not 'K'");
  expect_refused({"--verify", "--no-verify"}, "convert takes one of --verify and --no-verify");
  expect_refused({"--byte-order", "middle"}, "convert: --byte-order is little, big or native, not 'middle'");
  expect_refused({"--npy-version", "4"}, "convert: --npy-version is 1, 2 or 3, not 4");
  expect_refused({"--compress"},
                 "convert: --compress is for members of .npz archives, and the output is '" + at("out.npy") + "'");
  expect_refused(
      {"--permute", ""},
      "convert: --permute is empty; it takes the 2 axes of the array (2, 3) in their new order, such as 1,0");
  expect_refused({"--device", "gpu"}, "convert: --device is cpu, cuda or cuda:NUMBER, not 'gpu'");
  expect_refused({"--threads", "-1"}, "convert: --threads is 1 to 4096, or 0 for all, not -1");
  expect_refused({"--memory=-1"}, "convert: --memory is a number of bytes, such as 512M, not -1");
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
  write(at("empty"), "");
  expect_refused({},
                 "'" + at("empty") +
                     "' cannot be read as an array: the file has 0 bytes and ends inside the version of its "
                     "format, which has its last at byte 7",
                 "empty");
}

TEST_F(convert_files, too_little_memory_is_refused_with_the_smallest_that_works) {
  for (std::string const given : {"0", "1", "64K", "1M"}) {
    outcome const result = convert({"--memory", given});
    EXPECT_EQ(result.status, 2);
    std::string const begin =
        "tilewright: convert: --memory " + given + " is too small; the smallest that works here is ";
    ASSERT_EQ(result.err.rfind(begin, 0), 0u) << result.err;
    std::string const smallest = result.err.substr(begin.size(), result.err.size() - begin.size() - 1);
    EXPECT_FALSE(std::filesystem::exists(at("out.npy")));
    // What it names does work; the process may be somewhat larger the next time, above all with a sanitizer.
    EXPECT_EQ(convert({"--force", "--memory", std::to_string(std::stoi(smallest) * 5 / 4 + 1) + "M"}).status, 0)
        << smallest;
    std::filesystem::remove(at("out.npy"));
  }
}

TEST_F(convert_files, an_array_without_axes_has_an_empty_permutation) {
  write(at("in.npy"), write_npy_header({"<u2", false, {}}) + "ab");
  ASSERT_EQ(convert({"--permute", ""}).err, "");
  EXPECT_EQ(output(), write_npy_header({"<u2", false, {}}) + "ab");
}

TEST_F(convert_files, names_with_quotes_are_printed_as_a_shell_reads_them) {
  write(at("it's in.npy"), contents(at("in.npy")));
  outcome const result = run_command({"convert", at("it's in.npy"), at("out's.npy")});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("out'\\''s.npy': (2, 3)"), std::string::npos) << result.out;
  EXPECT_NE(run_command({"convert", at("it's out.npy"), at("x.npy")}).err.find("it'\\''s out.npy' cannot be read"),
            std::string::npos);
}

TEST_F(convert_files, says_how_it_verified) {
  struct row {
    std::vector<std::string> options;
    char const* end;
  };
  for (row const& r : {row{{}, "; verified by sums\n"}, row{{"--permute", "1,0"}, "; verified by sums\n"},
                       row{{"--no-verify"}, " GB/s\n"}, row{{"--verify"}, "; read back, every element compared\n"},
                       row{{"--to", "(2,3):(8,1)"}, "; verified by sums\n"},
                       row{{"--to", "(2,3):(-3,1)"}, "; every element compared\n"},
                       row{{"--to", "Sw<1,1,2> o 0 o (2,3):(4,1)"}, "; every element compared\n"}}) {
    std::vector<std::string> options = r.options;
    options.push_back("--force");
    outcome const result = convert(options);
    std::string const end = r.end;
    ASSERT_GE(result.out.size(), end.size()) << result.err;
    EXPECT_EQ(result.out.substr(result.out.size() - end.size()), end) << result.out;
  }
}

TEST_F(convert_files, a_dry_run_says_what_would_be_done_and_writes_nothing) {
  outcome const result = convert({"--permute", "1,0", "--dry-run"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out.rfind("would write '" + at("out.npy") + "': (3, 2) of '|u1', 134 bytes\n", 0), 0u) << result.out;
  for (char const* word : {"  from          '", "  blocks        1,", "  memory        ", "  verification  sums",
                           "  disk          ", "the plan of a block:\n", "nothing was written\n"})
    EXPECT_NE(result.out.find(word), std::string::npos) << word << result.out;
  EXPECT_EQ(folder_.names(), (std::set<std::string>{"in.npy"}));
  outcome const as_json = convert({"--permute", "1,0", "--dry-run", "--json"});
  EXPECT_NE(as_json.out.find("\"dry_run\": true"), std::string::npos) << as_json.out;
  EXPECT_EQ(convert({"--permute", "0,0", "--dry-run"}).status, 2);
  EXPECT_EQ(folder_.names(), (std::set<std::string>{"in.npy"}));
}

TEST_F(convert_files, info_prints_what_a_file_holds) {
  outcome const result = run_command({"info", at("in.npy")});
  EXPECT_EQ(result.out, "'" + at("in.npy") +
                            "': a .npy array\n"
                            "  shape    (2, 3)\n"
                            "  type     |u1, 1 bytes an element\n"
                            "  order    C, the last axis fastest\n"
                            "  layout   (2,3):(3,1)\n"
                            "  data     6 elements, 6 bytes\n"
                            "  header   128 bytes, version 1.0\n");
  EXPECT_EQ(run_command({"info"}).err, "tilewright: info needs a file, such as in.npy or arrays.npz\n");
  EXPECT_EQ(run_command({"info", at("none")}).err,
            "tilewright: '" + at("none") + "' cannot be read: No such file or directory\n");
  write(at("cut.npy"), contents(at("in.npy")).substr(0, 130));
  EXPECT_EQ(run_command({"info", at("cut.npy")}).status, 2);
}

TEST_F(convert_files, standard_streams) {
  std::string const in = contents(at("in.npy"));
  outcome const through = run_command({"convert", "-", "-", "--permute", "1,0"}, in);
  EXPECT_EQ(through.err, "");
  EXPECT_EQ(through.status, 0);
  EXPECT_EQ(through.out, write_npy_header({"|u1", false, {3, 2}}) + "adbecf");
  EXPECT_EQ(run_command({"convert", at("in.npy"), "-"}).out, in);
  EXPECT_EQ(run_command({"convert", "-", at("out.npy")}, in).status, 0);
  EXPECT_EQ(output(), in);
  EXPECT_EQ(run_command({"convert", "-", at("no.npy")}, in.substr(0, 131)).status, 2);
  EXPECT_EQ(run_command({"convert", "-", "-", "--json"}, in).err,
            "tilewright: convert: --json prints to standard output, where the array goes; give the output a name\n");
  EXPECT_EQ(run_command({"info", "-"}, in).out.rfind("standard input: a .npy array\n", 0), 0u);
}

TEST_F(convert_files, a_gpu_that_is_not_there_is_said_to_be_missing) {
  outcome const result = convert({"--device", "cuda:9999"});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_FALSE(std::filesystem::exists(at("out.npy")));
}

}  // namespace
}  // namespace tilewright::test
