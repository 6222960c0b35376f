// tilewright examples: its list is that of the files in examples/, and each program prints what its own executable does.
#include "run_command.hpp"

#include "apps/cli/example_programs.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

namespace tilewright::test {
namespace {

namespace fs = std::filesystem;
fs::path const root = fs::path(TILEWRIGHT_TEST_DATA_DIR).parent_path().parent_path();

TEST(examples, lists_every_program_of_the_folder) {
  std::set<std::string> files, listed;
  for (auto const& entry : fs::directory_iterator(root / "examples"))
    if (entry.path().extension() == ".cpp") files.insert(entry.path().stem().string());
  outcome const json = run_command({"examples", "--json"});
  EXPECT_EQ(json.status, 0) << json.err;
  for (auto const& row : nlohmann::json::parse(json.out)) {
    listed.insert(row["name"].get<std::string>());
    EXPECT_NE(row["title"], "");
  }
  EXPECT_EQ(listed, files);
  std::string const text = run_command({"examples"}).out;
  for (std::string const& name : listed) EXPECT_NE(text.find(name + " "), std::string::npos) << name;
}

/// Up to the first address, which differs from run to run, and without blanks at the ends of lines, as golden files are.
std::string comparable(std::string text) {
  text.resize(std::min(text.size(), text.find("0x")));
  std::string out;
  for (char const ch : text) {
    while (ch == '\n' && !out.empty() && out.back() == ' ') out.pop_back();
    out += ch;
  }
  return out;
}

TEST(examples, runs_one_by_name) {
  for (char const* name : {"tiled_copy_16x8", "slicing", "explain_copy"}) {
    outcome const result = run_command({"examples", name});
    EXPECT_EQ(result.status, 0) << result.err;
    std::ifstream file(root / "tests/examples" / (std::string(name) + ".txt"));
    ASSERT_TRUE(file) << name;
    std::string const expected{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(comparable(result.out), comparable(expected)) << name;
  }
}

TEST(examples, refusals) {
  outcome const misspelt = run_command({"examples", "slicin"});
  EXPECT_EQ(misspelt.status, 2);
  EXPECT_EQ(misspelt.err, "tilewright: there is no example 'slicin'; did you mean 'slicing'?\n");
  std::string names;
  for (cli::example_program const& e : cli::example_programs())
    names += (names.empty() ? "" : ", ") + std::string(e.name);
  EXPECT_EQ(run_command({"examples", "no_such_program_at_all"}).err,
            "tilewright: there is no example 'no_such_program_at_all'; the examples are " + names + "\n");
  EXPECT_EQ(run_command({"examples", "slicing", "--json"}).status, 2);
}

}  // namespace
}  // namespace tilewright::test
