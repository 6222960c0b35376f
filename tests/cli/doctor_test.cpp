// tilewright doctor, on a machine with or without a GPU: everything is there, and what is missing has its reason. The
// values are compared with what the system's own calls and files say.
#include "engine/kernels/cuda/tile/fitted_costs.hpp"
#include "run_command.hpp"
#include "scratch_folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

namespace tilewright::test {
namespace {

/// Sets a variable of the environment for as long as it lives.
class variable {
 public:
  variable(char const* name, std::string const& value) : name_(name) {
    if (char const* const old = std::getenv(name)) before_ = old;
    setenv(name, value.c_str(), 1);
  }
  variable(variable const&) = delete;
  variable& operator=(variable const&) = delete;
  ~variable() {
    if (before_) setenv(name_, before_->c_str(), 1);
    else unsetenv(name_);
  }

 private:
  char const* name_;
  std::optional<std::string> before_;
};

nlohmann::json doctor() {
  outcome const result = run_command({"doctor", "--json"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return nlohmann::json::parse(result.out);
}

TEST(doctor, says_what_the_machine_has) {
  nlohmann::json const all = doctor();
  EXPECT_EQ(all["version"], TILEWRIGHT_VERSION);
  EXPECT_GE(all["cpu"]["threads"], 1);
  EXPECT_EQ(all["cpu"]["memory_bytes"], sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGE_SIZE));
  EXPECT_GE(all["cpu"]["vector_bits"], 64);
  EXPECT_NE(all["cpu"]["instruction_set"], "");
  std::string const costs = all["tile_costs"];
  EXPECT_EQ(costs, kernels::fitted_tile_costs.fit);
  EXPECT_NE(run_command({"doctor"}).out.find("fitted to " + costs), std::string::npos);
}

TEST(doctor, what_is_missing_has_a_reason) {
  nlohmann::json const all = doctor();
  EXPECT_EQ(all["gpu"]["driver"].is_null(), all["gpu"].contains("problem")) << all["gpu"];
  if (all["gpu"]["driver"].is_null()) {
    EXPECT_TRUE(all["gpu"]["devices"].empty());
  }
  EXPECT_EQ(all["nvrtc"]["library"].is_null(), all["nvrtc"].contains("problem")) << all["nvrtc"];
  variable const none("TILEWRIGHT_NVRTC", "none");
  nlohmann::json const without = doctor();
  EXPECT_TRUE(without["nvrtc"]["library"].is_null());
  EXPECT_TRUE(without["nvrtc"].contains("problem"));
}

TEST(doctor, a_file_that_is_no_compiler_is_named) {
  scratch const folder;
  write(folder.at("libnvrtc.so"), "no library");
  variable const wrong("TILEWRIGHT_NVRTC", folder.at("libnvrtc.so"));
  std::string const problem = doctor()["nvrtc"]["problem"];
  EXPECT_NE(problem.find(folder.at("libnvrtc.so")), std::string::npos) << problem;
}

TEST(doctor, counts_the_kernels_in_their_folder) {
  scratch const folder;
  write(folder.at("a.kernel"), std::string(100, 'x'));
  write(folder.at("b.kernel"), std::string(28, 'x'));
  write(folder.at("notes.txt"), "not counted");
  variable const cache("TILEWRIGHT_CACHE_DIR", folder.at(""));
  nlohmann::json const kept = doctor()["kernel_cache"];
  EXPECT_EQ(kept["folder"], folder.at(""));
  EXPECT_EQ(kept["kernels"], 2);
  EXPECT_EQ(kept["bytes"], 128);
  EXPECT_EQ(kept["writable"], true);
  EXPECT_EQ(folder.names(), (std::set<std::string>{"a.kernel", "b.kernel", "notes.txt"})) << "nothing is changed";
}

TEST(doctor, a_folder_that_cannot_be_made) {
  scratch const folder;
  write(folder.at("file"), "");
  variable const cache("TILEWRIGHT_CACHE_DIR", folder.at("file/kernels"));
  nlohmann::json const kept = doctor()["kernel_cache"];
  EXPECT_EQ(kept["writable"], false);
  EXPECT_TRUE(kept.contains("problem"));
  variable const missing("TILEWRIGHT_CACHE_DIR", folder.at("new/kernels"));
  EXPECT_EQ(doctor()["kernel_cache"]["writable"], true) << "it can be made";
  EXPECT_FALSE(std::filesystem::exists(folder.at("new"))) << "but it is not made by asking";
}

TEST(doctor, without_any_folder) {
  variable const cache("TILEWRIGHT_CACHE_DIR", "");
  EXPECT_TRUE(doctor()["kernel_cache"]["folder"].is_null());
  EXPECT_NE(run_command({"doctor"}).out.find("kernel cache  none\n"), std::string::npos);
}

TEST(doctor, for_people) {
  outcome const result = run_command({"doctor"});
  EXPECT_EQ(result.status, 0);
  std::size_t at = 0;
  for (char const* part : {"tilewright    " TILEWRIGHT_VERSION "\n", "\nCPU", "\n  SIMD", "\n  threads", "\n  caches",
                           "\n  memory", "\ndriver", "\nGPU", "\nNVRTC", "\nkernel cache"}) {
    std::size_t const found = result.out.find(part, at);
    ASSERT_NE(found, std::string::npos) << part << " is missing in\n" << result.out;
    at = found;
  }
}

}  // namespace
}  // namespace tilewright::test
