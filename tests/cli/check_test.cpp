// tilewright check: what holds and what does not, with its exit status.
#include "run_command.hpp"

#include <nlohmann/json.hpp>

namespace tilewright::test {
namespace {

using lines = std::vector<std::string>;

lines with_copy(std::string const& tensor, lines const& conditions) {
  lines out{"check", "--atom-bits", "128",   "--element-bits", "32",  "--thr",
            "(4,8)", "--val",       "(4,1)", "--tensor",       tensor};
  out.insert(out.end(), conditions.begin(), conditions.end());
  return out;
}

TEST(check, a_good_copy_meets_all) {
  outcome const result = run_command(
      with_copy("(16,8):(1,16)", {"--covers", "--vector", "128", "--no-conflicts", "--coalesced", "--injective"}));
  EXPECT_EQ(result.status, 0) << result.out;
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out.substr(0, result.out.find('\n')),
            "holds --covers: covers (16,8) exactly once: 32 threads x 4 values = 128 elements");
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 5);
  EXPECT_EQ(result.out.find("fails"), std::string::npos);
  EXPECT_EQ(result.out.find('\x1b'), std::string::npos) << "colours only on a terminal";
}

TEST(check, the_row_major_misuse_fails_with_the_reason_and_the_remedy) {
  outcome const result = run_command(with_copy("(16,8):(8,1)", {"--covers", "--vector", "128", "--no-conflicts"}));
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "");
  for (char const* part :
       {"holds --covers: ",
        "fails --vector 128: source, global memory: 32-bit loads, although the atom carries 128 bits: a thread's "
        "values "
        "run along mode 0, whose stride is 8, not 1; let the values run along mode 1: thr (16,2):(2,1) with val "
        "(1,4):(0,1)",
        "fails --no-conflicts: destination, shared memory: 12 bank conflicts: "})
    EXPECT_NE(result.out.find(part), std::string::npos) << result.out;
}

TEST(check, as_json) {
  outcome const result =
      run_command(with_copy("(16,8):(8,1)", {"--covers", "--vector", "128", "--coalesced=50", "--json"}));
  EXPECT_EQ(result.status, 1);
  nlohmann::json const out = nlohmann::json::parse(result.out);
  EXPECT_EQ(out["holds"], false);
  ASSERT_EQ(out["conditions"].size(), 3U);
  EXPECT_EQ(out["conditions"][0]["condition"], "--covers");
  EXPECT_EQ(out["conditions"][0]["holds"], true);
  EXPECT_EQ(out["conditions"][1]["condition"], "--vector 128");
  EXPECT_EQ(out["conditions"][1]["holds"], false);
  EXPECT_EQ(out["conditions"][2]["condition"], "--coalesced 50");
}

struct question {
  lines words;
  int status;
};

TEST(check, exit_statuses) {
  std::string const good = "(16,8):(1,16)";
  question const questions[] = {
      {{"(8,8):(8,1)", "--injective", "--contiguous", "--vector", "128"}, 0},
      {{"(8,8):(8,1)", "--vector", "256"}, 1},
      {{"(8,8):(8,1)", "--vector", "256", "--machine", "sm_100"}, 0},
      {{"(8,8):(9,1)", "--contiguous"}, 1},
      {{"(8,8):(9,1)", "--injective"}, 0},
      {{"(4,2):(1,2)", "--injective"}, 1},
      {{"(32,32):(32,1)", "--no-conflicts"}, 1},
      {{"(32,32):(33,1)", "--no-conflicts"}, 0},
      {{"Sw<5,0,5> o 0 o (32,32):(32,1)", "--no-conflicts"}, 0},
      {{"(32,32):(32,1)", "--coalesced"}, 0},
      {{"(32,32):(64,2)", "--coalesced"}, 1},
      {{"(32,32):(64,2)", "--coalesced=50"}, 0},
      {{"(32,32):(64,2)", "--coalesced=51"}, 1},
      {{"(32,4):(4,1)", "--tile", "(16,8)", "--covers"}, 0},
      {{"(32,4):(4,2)", "--tile", "(16,8)", "--covers"}, 1},
      {{"(32,4):(4,1)", "--tile", "(16,4)", "--covers"}, 1},
      {{"(512,256):(256,1)", "(512,256):(1,512)", "--element", "f32", "--machine", "sm_90", "--covers", "--injective"},
       0},
      {{"(512,256):(256,1)", "(512,256):(1,512)", "--element", "f32", "--machine", "sm_90", "--vector", "4096"}, 1},
      {{"(64,32)", "(64,32):(32,1)", "--element", "u8", "--threads", "1", "--covers"}, 0},
      {{"(8,64):(64,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)", "--element", "bf16", "--machine", "cpu", "--covers"}, 0},
      // The question itself is wrong.
      {{}, 2},
      {{"(8,8):(8,1)"}, 2},
      {{"(8,8:(8,1)", "--injective"}, 2},
      {{"(8,8):(8,1)", "--covers"}, 2},
      {{"(8,8):(8,1)", "--vector", "0"}, 2},
      {{"(8,8):(8,1)", "--coalesced=101"}, 2},
      {{"(8,8):(8,1)", "--vector", "128", "--cover"}, 2},
      {{"(8,8)", "(8,8):(8,1)", "--element", "f32", "--no-conflicts"}, 2},
      {{"(8,8)", "(4,16)", "--element", "f32", "--covers"}, 2},
      {{"(32,4):(4,1)", "--tile", "(16,8)", "--vector", "64"}, 2},
      {{"--thr", "(4,8)", "--covers"}, 2},
  };
  for (question const& q : questions) {
    lines words{"check"};
    words.insert(words.end(), q.words.begin(), q.words.end());
    outcome const result = run_command(words);
    std::string all;
    for (std::string const& word : words) all += word + " ";
    EXPECT_EQ(result.status, q.status) << all << "\n" << result.out << result.err;
    EXPECT_EQ(result.out.empty(), q.status == 2) << all;
    EXPECT_EQ(result.err.empty(), q.status != 2) << all;
  }
  EXPECT_EQ(run_command(with_copy(good, {"--vector", "256"})).status, 1);
  EXPECT_EQ(run_command(with_copy(good, {"--contiguous"})).status, 2);
  EXPECT_EQ(run_command(with_copy("(24,8)", {"--covers"})).status, 2) << "the tile does not fit";
}

}  // namespace
}  // namespace tilewright::test
