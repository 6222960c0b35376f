// Hardware as the oracle: every access in tests/data/agreement_h200.tsv was made once on an H200 and counted by its
// profiler (tests/cuda/agreement/measure.py --data); the analysis must say the same, without the GPU.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "plain_analysis.hpp"

namespace tilewright::tests {
namespace {

using tiling::access_kind;

std::vector<std::string> split(std::string const& text, char separator) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) out.push_back(part);
  return out;
}

access_kind kind_of(std::string const& name) {
  return name == "load"       ? access_kind::load
         : name == "store"    ? access_kind::store
         : name == "ldmatrix" ? access_kind::ldmatrix
                              : access_kind::stmatrix;
}

TEST(agreement, with_the_counters_of_an_h200) {
  std::ifstream file(TILEWRIGHT_TEST_DATA_DIR "/agreement_h200.tsv");
  ASSERT_TRUE(file) << "tests/data/agreement_h200.tsv cannot be read";
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  std::map<std::string, std::size_t> column;
  for (std::string const& name : split(line, '\t')) column.emplace(name, column.size());
  std::map<std::string, int> rows, conflicting;
  while (std::getline(file, line)) {
    std::vector<std::string> const cell = split(line, '\t');
    ASSERT_EQ(cell.size(), column.size()) << line;
    auto const at = [&](char const* name) { return cell[column.at(name)]; };
    long long const width = std::stoll(at("bytes"));
    int const matrices = std::stoi(at("matrices"));
    std::vector<std::string> const offsets = split(at("offsets"), ',');
    ASSERT_EQ(offsets.size(), 32U) << line;
    std::array<long long, 32> first_bit{};
    for (std::size_t i = 0; i < 32; ++i) first_bit[i] = 8 * width * std::stoll(offsets[i]);

    tiling::warp_access access{kind_of(at("kind")), {8 * width}, 0, {}};
    if (matrices > 0) {
      access = matrix_access(access.kind, matrices, first_bit);
    } else {
      unsigned long const lanes = std::stoul(at("lanes"), nullptr, 16);
      for (int lane = 0; lane < 32; ++lane)
        if ((lanes >> lane & 1) != 0) access.set(lane, {first_bit[static_cast<std::size_t>(lane)]});
    }
    ++rows[at("space") + " " + at("kind")];
    if (at("space") == "global") {
      EXPECT_EQ(std::to_string(traffic_of(access, h200()).sectors), at("sectors")) << line;
    } else {
      tiling::bank_report const banks = bank_conflicts(access, h200());
      EXPECT_EQ(std::to_string(banks.wavefronts), at("wavefronts")) << line;
      EXPECT_EQ(std::to_string(banks.conflicts()), at("conflicts")) << line;
      conflicting[at("kind")] += banks.conflicts() > 0;
    }
  }
  EXPECT_EQ(rows.size(), 6U);  // loads and stores of both memories, ldmatrix, stmatrix
  for (auto const& [name, count] : rows) EXPECT_GE(count, 100) << name;
  for (auto const& [name, count] : conflicting) EXPECT_GE(count, 50) << name;
}

}  // namespace
}  // namespace tilewright::tests
