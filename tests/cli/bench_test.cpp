// tilewright bench: what it tells, of which copies, and what it refuses. No time is looked at: it is there, and above 0.
#include "run_command.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

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
  EXPECT_TRUE(r["kernel"] == "transpose" || r["kernel"] == "tile") << r["kernel"];  // by the instruction set
  EXPECT_EQ(r["device"], "cpu");
  EXPECT_EQ(r["threads"], 1);
  EXPECT_GE(r["rounds"], 1);
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
  for (char const* part :
       {"plan      direct, ", "checked   2048 elements, every one where the layouts say\n",
        "bytes     16384 read and written\n", "copy      median ", "(memcpy by one thread)\n",
        "(nested loops in the destination's order, one thread)\n", " of memcpy in 1 round, ", ", quartiles ", ", max "})
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
            "tilewright: bench: --device is cpu, cuda or cuda:NUMBER, not 'cuba'\n");
  EXPECT_EQ(refused({"8", "8", "--element", "f32", "--device", "cuda", "--threads", "2"}),
            "tilewright: bench: --threads is for the CPU; leave it out with --device cuda\n");
  EXPECT_NE(refused({"(4,8)", "(4,9)", "--element", "f32"}).find("shape"), std::string::npos);
  EXPECT_NE(refused({"(4,8)", "(4,8):(1,2)", "--element", "f32"}).find("one element"), std::string::npos);
  EXPECT_NE(refused({"1099511627776", "1099511627776", "--element", "f32"}).find("time smaller tensors"),
            std::string::npos);
}

TEST(bench, tells_the_spread) {
  outcome const result =
      run_command({"bench", "(64,32):(32,1)", "(64,32):(1,64)", "--element", "f32", "--repeat", "9", "--json"});
  json const r = json::parse(result.out);
  EXPECT_EQ(r["rounds"], 9);
  for (char const* who : {"copy", "memcpy", "naive"}) {
    json const& t = r[who];
    EXPECT_LE(t["min_seconds"], t["lower_quartile_seconds"]) << who;
    EXPECT_LE(t["lower_quartile_seconds"], t["median_seconds"]) << who;
    EXPECT_LE(t["median_seconds"], t["upper_quartile_seconds"]) << who;
    EXPECT_LE(t["upper_quartile_seconds"], t["max_seconds"]) << who;
  }
}

/// A file of saved runs with its times changed, so that what comparing says of it is known.
class saved_runs : public testing::Test {
 protected:
  saved_runs() { std::filesystem::remove(file); }
  ~saved_runs() override { std::filesystem::remove(file); }

  outcome run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "bench");
    return run_command(arguments);
  }
  json saved() const { return json::parse(std::ifstream(file)); }
  void write(json const& all) const { std::ofstream(file) << all; }

  std::string file = (std::filesystem::temp_directory_path() / ("it's_" + std::to_string(getpid()) + ".json")).string();
  std::vector<std::string> const pair{"(64,32):(32,1)", "(64,32):(1,64)", "--element", "float32", "--repeat", "3"};
};

TEST_F(saved_runs, are_added_and_replaced) {
  std::vector<std::string> first = pair, second = pair;
  first.insert(first.end(), {"--save", file});
  second.insert(second.end(), {"--threads", "1", "--save", file});
  for (auto const* words : {&first, &second, &first}) EXPECT_EQ(run(*words).status, 0);
  json const all = saved();
  EXPECT_EQ(all["format"], "tilewright-bench");
  ASSERT_EQ(all["runs"].size(), 2u);
  EXPECT_EQ(all["runs"][0]["element"], "f32");
  EXPECT_EQ(all["runs"][0]["rounds"], 3);
  EXPECT_EQ(all["runs"][1]["threads_asked"], "1");
}

TEST_F(saved_runs, are_compared_by_ratio_and_spread) {
  std::vector<std::string> words = pair;
  words.insert(words.end(), {"--save", file});
  ASSERT_EQ(run(words).status, 0);
  json all = saved();
  struct change {
    double factor;
    char const* verdict;
  };
  for (change const& c : {change{1e6, "faster"}, change{1e-6, "slower"}}) {
    json changed = all;
    for (auto const& [key, seconds] : all["runs"][0]["copy"].items())
      if (key.find("_seconds") != std::string::npos) changed["runs"][0]["copy"][key] = seconds.get<double>() * c.factor;
    write(changed);
    json const told = json::parse(run({"--compare", file, "--repeat", "3", "--json"}).out);
    ASSERT_EQ(told["runs"].size(), 1u);
    json const& row = told["runs"][0];
    EXPECT_EQ(row["verdict"], c.verdict);
    EXPECT_EQ(row["same_machine"], true);
    EXPECT_DOUBLE_EQ(row["ratio"].get<double>(),
                     row["saved_median_seconds"].get<double>() / row["median_seconds"].get<double>());
    std::vector<std::string> one = pair;
    one.insert(one.end(), {"--compare", file});
    outcome const table = run(one);
    EXPECT_EQ(table.status, 0) << table.err;
    EXPECT_NE(table.out.find("(64,32):(32,1) to (64,32):(1,64), f32"), std::string::npos) << table.out;
    EXPECT_NE(table.out.find(std::string("  ") + c.verdict + "\n"), std::string::npos) << table.out;
  }
  // The spread decides: a median that differs within the quartiles is the same.
  json wide = all;
  wide["runs"][0]["copy"]["lower_quartile_seconds"] = 1e-12;
  wide["runs"][0]["copy"]["upper_quartile_seconds"] = 1e6;
  wide["runs"][0]["machine"] = "an abacus";
  write(wide);
  outcome const same = run({"--compare", file, "--repeat", "3"});
  EXPECT_NE(same.out.find("  the same\n"), std::string::npos) << same.out;
  EXPECT_NE(same.out.find("saved on another machine: an abacus\n"), std::string::npos) << same.out;
}

TEST_F(saved_runs, refuses_what_is_none) {
  auto const refused = [&](std::vector<std::string> const& words) {
    outcome const result = run(words);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    return result.err;
  };
  std::string const name = "tilewright: bench: \"" + file + "\" ";
  EXPECT_EQ(refused({"--compare", file}), name + "cannot be read: No such file or directory\n");
  for (char const* text : {"", "{", "[]", "{\"format\":\"other\"}"}) {
    std::ofstream(file) << text;
    EXPECT_EQ(refused({"--compare", file}),
              name + "holds no saved runs; write one with tilewright bench --save FILE\n");
    std::vector<std::string> words = pair;
    words.insert(words.end(), {"--save", file});
    EXPECT_NE(refused(words).find("holds no saved runs"), std::string::npos);  // and is not overwritten
  }
  write({{"format", "tilewright-bench"}, {"version", 2}});
  EXPECT_NE(refused({"--compare", file}).find("is of version 2, and this command reads version 1"), std::string::npos);
  write({{"format", "tilewright-bench"}, {"version", 1}, {"runs", {{{"src", 1}}}}});
  EXPECT_NE(refused({"--compare", file}).find("lacks figures in its run 1"), std::string::npos);
  std::filesystem::remove(file);
  std::vector<std::string> words = pair;
  words.insert(words.end(), {"--save", file});
  ASSERT_EQ(run(words).status, 0);
  EXPECT_NE(refused({"8", "8", "--element", "u8", "--compare", file}).find("holds no run of 8 to 8, u8"),
            std::string::npos);
  EXPECT_NE(refused({"--compare", file, "--element", "f32"}).find("leave --element"), std::string::npos);
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
