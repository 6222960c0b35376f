// tilewright bench: what it tells, of which copies, and what it refuses. No time is looked at: it is there, and above 0.
#include "run_command.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>

namespace tilewright::test {
namespace {

using nlohmann::json;

json bench(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "bench");
  for (char const* word : {"--repeat", "1", "--json"}) arguments.emplace_back(word);
  outcome const result = run_command(arguments);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return result.status == 0 ? json::parse(result.out) : json();
}

TEST(bench, tells_what_was_copied_and_checked) {
  json const r = bench({"(64,32):(32,1)", "(64,32):(1,64)", "--element", "f32", "--threads", "1"});
  EXPECT_EQ(r["elements"], 2048);
  EXPECT_EQ(r["bytes"], 2 * 4 * 2048);
  EXPECT_EQ(r["checked"], true);
  EXPECT_EQ(r["path"], "direct");
  EXPECT_EQ(r["kernel"], "transpose");
  EXPECT_EQ(r["device"], "cpu");
  EXPECT_EQ(r["threads"], 1);
  EXPECT_GE(r["turns"], 1);
  for (char const* who : {"copy", "memcpy", "naive"}) {
    EXPECT_GT(r[who]["min_seconds"], 0) << who;
    EXPECT_GE(r[who]["median_seconds"], r[who]["min_seconds"]) << who;
    EXPECT_GT(r[who]["gb_per_second"], 0) << who;
  }
  double const share = r["memcpy"]["median_seconds"].get<double>() / r["copy"]["median_seconds"].get<double>();
  EXPECT_DOUBLE_EQ(r["share_of_memcpy"].get<double>(), share);
  EXPECT_EQ(r["memcpy"]["what"], "memcpy by one thread");
}

TEST(bench, takes_whatever_a_copy_takes) {
  struct one {
    char const *src, *dst, *element;
    long long elements;
  };
  for (one const& c :
       {one{"100:1", "100:1", "u8", 100}, one{"(8,64):(64,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)", "f16", 512},
        one{"((4,6)):((6,1))", "((6,4)):((1,6))", "f64", 24}, one{"(16,8):(1,16)", "(16,8):(8,1)", "b4", 128},
        one{"(5,7):(-1,5)", "(5,7):(7,1)", "f32", 35}, one{"(5,7):(0,1)", "(5,7):(-7,-1)", "c128", 35},
        one{"(3,(2,2),5):(1,(3,6),12)", "(3,(2,2),5):(20,(10,5),1)", "bf16", 60},
        one{"(4,8):(8,1)", "(4,8):(16,2)", "i32", 32}}) {
    json const r = bench({c.src, c.dst, "--element", c.element});
    EXPECT_EQ(r["elements"], c.elements) << c.src;
    EXPECT_EQ(r["checked"], true) << c.src;
  }
}

TEST(bench, prints_the_same_for_people) {
  outcome const result =
      run_command({"bench", "(64,32):(32,1)", "(64,32):(1,64)", "--element", "f32", "--threads", "2", "--repeat", "1"});
  EXPECT_EQ(result.status, 0) << result.err;
  for (char const* part : {"plan      direct, transpose, on ", "checked   2048 elements, every one where the layouts say\n",
                           "bytes     16384 read and written\n", "copy      median ", "(memcpy by one thread)\n",
                           "(nested loops in the destination's order, one thread)\n", " of memcpy, "})
    EXPECT_NE(result.out.find(part), std::string::npos) << part << result.out;
}

TEST(bench, refuses) {
  auto const refused = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "bench");
    outcome const result = run_command(arguments);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_EQ(refused({"(4,8)"}), "tilewright: bench needs two layouts, such as '(64,32):(32,1)' '(64,32):(1,64)'\n");
  EXPECT_EQ(refused({"(4,8)", "(4,8)"}), "tilewright: bench needs --element, the type of an element, such as f32\n");
  EXPECT_EQ(refused({"(0,8)", "(0,8)", "--element", "f32"}),
            "tilewright: bench: the layouts have no elements, so there is nothing to time\n");
  EXPECT_EQ(refused({"8", "8", "--element", "f32", "--device", "cuba"}),
            "tilewright: --device is cpu, cuda, not 'cuba'; did you mean 'cuda'?\n");
  EXPECT_EQ(refused({"8", "8", "--element", "f32", "--device", "cuda", "--threads", "2"}),
            "tilewright: bench: --threads is of the CPU, not of --device cuda\n");
  EXPECT_NE(refused({"(4,8)", "(4,9)", "--element", "f32"}).find("shape"), std::string::npos);
  EXPECT_NE(refused({"(4,8)", "(4,8):(1,2)", "--element", "f32"}).find("one element"), std::string::npos);
  EXPECT_NE(refused({"1099511627776", "1099511627776", "--element", "f32"}).find("time smaller tensors"),
            std::string::npos);
}

/// Without a GPU it says so; with one it copies there.
TEST(bench, on_a_gpu) {
  outcome const result = run_command(
      {"bench", "(64,32):(32,1)", "(64,32):(1,64)", "--element", "f32", "--device", "cuda", "--repeat", "1", "--json"});
  if (result.status == 2) {
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err.find("tilewright: "), 0u) << result.err;
    GTEST_SKIP() << "no GPU: " << result.err;
  }
  json const r = json::parse(result.out);
  EXPECT_EQ(r["device"], "cuda");
  EXPECT_EQ(r["checked"], true);
}

}  // namespace
}  // namespace tilewright::test
