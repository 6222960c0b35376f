// tilewright mma and plot --atom: the list of matrix operations, the maps of one, and the picture of which thread has what.
#include "run_command.hpp"

#include "tilewright/algebra/to_value.hpp"
#include "tilewright/layout/text.hpp"
#include "tilewright/mma/mma_atom.hpp"
#include "tilewright/render/mma_atoms.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

namespace tilewright::test {
namespace {

TEST(mma_verb, lists_every_operation_once) {
  std::istringstream lines(run_command({"mma"}).out);
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) names.push_back(line);
  EXPECT_EQ(names, render::mma_families());
  EXPECT_EQ(names.size(), 87u + 40u + 40u);  // of warps and less; of warpgroups with a dense and a sparse A
  EXPECT_TRUE(std::adjacent_find(names.begin(), names.end()) == names.end());
  EXPECT_EQ(nlohmann::json::parse(run_command({"mma", "--json"}).out).size(), render::mma_names().size());
}

TEST(mma_verb, prints_the_maps_of_the_traits) {
  using traits = MMA_Traits<SM80_16x8x16_F32F16F16F32_TN>;
  outcome const json = run_command({"mma", "SM80_16x8x16_F32F16F16F32_TN", "--json"});
  auto const told = nlohmann::json::parse(json.out);
  EXPECT_EQ(told["shape"], nlohmann::json::array({16, 8, 16}));
  EXPECT_EQ(told["A"], format_layout(to_value(traits::ALayout{})));
  EXPECT_EQ(told["B"], format_layout(to_value(traits::BLayout{})));
  EXPECT_EQ(told["C"], format_layout(to_value(traits::CLayout{})));
  EXPECT_EQ(told["types"]["C"], "f32");
  std::string const text = run_command({"mma", "SM80_16x8x16_F32F16F16F32_TN"}).out;
  EXPECT_NE(text.find("  A        ((4,8),(2,2,2)):((32,1),(16,8,128)), (thread, value) to m + 16 k\n"),
            std::string::npos)
      << text;
}

TEST(mma_verb, operands_in_shared_memory_are_said) {
  std::string const text = run_command({"mma", "SM90_64x8x16_F32F16F16_SS"}).out;
  EXPECT_NE(text.find("  A        in shared memory, m + 64 k, read by a matrix descriptor\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("  C        ((4,8,4),(2,2,1)):((128,1,16),(64,8,512)), (thread, value) to m + 64 n\n"),
            std::string::npos)
      << text;
}

TEST(mma_verb, plot_draws_the_same) {
  outcome const drawn = run_command({"plot", "--atom", "SM70_8x8x4_F32F16F16F32_NT"});
  EXPECT_EQ(drawn.status, 0) << drawn.err;
  EXPECT_NE(drawn.out.find("A (m,k) ((4,2),4):((8,4),1)"), std::string::npos) << drawn.out;
  EXPECT_EQ(run_command({"plot", "--atom", "SM70_8x8x4_F32F16F16F32_NT", "--element", "f16"}).status, 2);
}

TEST(mma_verb, a_wrong_name_is_answered_by_the_nearest) {
  outcome const wrong = run_command({"mma", "SM80_16x8x16_F32F16F16F32_NT"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(wrong.err,
            "tilewright: there is no matrix operation 'SM80_16x8x16_F32F16F16F32_NT'; did you mean "
            "'SM80_16x8x16_F32F16F16F32_TN'?\n");
}

}  // namespace
}  // namespace tilewright::test
