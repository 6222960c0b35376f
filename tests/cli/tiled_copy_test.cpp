// tilewright tiled-copy in its form for people, and the value it prints from.
#include "run_command.hpp"

#include "tilewright/layout/text.hpp"
#include "tilewright/tiling/tiled_copy_value.hpp"

#include <nlohmann/json.hpp>

namespace tilewright::test {
namespace {

std::vector<std::string> with_options(std::string const& tensor, std::string const& thread) {
  return {"tiled-copy", "--atom-bits", "128",      "--element-bits", "32",       "--thr", "(4,8):(1,4)",
          "--val",      "(1,1)",       "--tensor", tensor,           "--thread", thread};
}

TEST(tiled_copy, prints_the_tile_and_one_threads_share) {
  outcome const result = run_command(with_options("(128,128):(1,128)", "5"));
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out,
            "atom             4 values at a time\n"
            "threads          32\n"
            "values           4 of each thread in a tile\n"
            "Tiler_MN         (16,8)\n"
            "TiledLayout_TV   (32,4):(4,1)\n"
            "whole view       ((4,8),(4,1),(8,16)):((4,128),(1,0),(16,1024))\n"
            "                 (thread, value, rest)\n"
            "thread 5:\n"
            "  partition_S    ((4,1),8,16):((1,0),16,1024)\n"
            "  first offset   132 elements\n");
}

TEST(tiled_copy, of_an_atom_of_several_threads_has_two_partitions) {
  std::vector<std::string> words{
      "tiled-copy", "--atom",      "SM75_U32x4_LDSM_N", "--element",      "f16",      "--thr", "(8,4):(4,1)",
      "--val",      "(4,2):(2,1)", "--tensor",          "(32,64):(64,1)", "--thread", "5"};
  outcome const result = run_command(words);
  EXPECT_EQ(result.status, 0) << result.err;
  for (char const* part : {"atom             32 threads x 8 values\n", "Tiler_MN         (32,8)\n",
                           "(thread, value, rest) of the source\n",
                           "  partition_S    ((8,1),1,8):((1,0),0,8)\n  first offset   1280 elements\n",
                           "  partition_D    (((2,4),1),1,8):(((1,64),0),0,8)\n  first offset   258 elements\n"})
    EXPECT_NE(result.out.find(part), std::string::npos) << result.out;
  words.emplace_back("--json");
  nlohmann::json const out = nlohmann::json::parse(run_command(words).out);
  EXPECT_EQ(out["atom_threads"], 32);
  EXPECT_EQ(out["partition_destination"], "(((2,4),1),1,8):(((1,64),0),0,8)");
  EXPECT_EQ(out["first_offset_destination"], 258);
}

TEST(tiled_copy, the_first_thread_is_the_default) {
  std::vector<std::string> words = with_options("(16,8)", "0");
  std::string const with_thread = run_command(words).out;
  words.resize(words.size() - 2);
  EXPECT_EQ(run_command(words).out, with_thread);
  EXPECT_NE(with_thread.find("first offset   0 elements"), std::string::npos);
}

TEST(tiled_copy, as_json) {
  std::vector<std::string> words = with_options("(128,128):(1,128)", "5");
  words.emplace_back("--json");
  outcome const result = run_command(words);
  EXPECT_EQ(result.status, 0) << result.err;
  nlohmann::json const out = nlohmann::json::parse(result.out);
  EXPECT_EQ(out["atom_values"], 4);
  EXPECT_EQ(out["threads"], 32);
  EXPECT_EQ(out["tiler"], "(16,8)");
  EXPECT_EQ(out["tv"], "(32,4):(4,1)");
  EXPECT_EQ(out["partition"], "((4,1),8,16):((1,0),16,1024)");
  EXPECT_EQ(out["first_offset"], 132);
}

TEST(tiled_copy, takes_expressions_as_plot_does) {
  std::vector<std::string> words = with_options("compact_left((128,128))", "5");
  EXPECT_EQ(run_command(words).out, run_command(with_options("(128,128):(1,128)", "5")).out);
}

constexpr layout_value vector_of(long long n) { return layout_value(leaf_tree(constant_leaf(n), constant_leaf(1))); }

TEST(tiled_copy_value, is_a_constant_expression) {
  constexpr auto copy = make_tiled_copy(bits{64}, bits{8}, vector_of(8), vector_of(8));
  static_assert(copy && copy->threads() == 8 && copy->values() == 8 && copy->atom == elements{8});
  constexpr auto share = partition(*copy, 3, vector_of(128));
  static_assert(share && share->offset == 24);
  EXPECT_EQ(format_tuple(copy->tiler), "(64)");
  EXPECT_EQ(format_layout(share->layout), "((8,1),(2)):((1,0),(64))");
}

TEST(tiled_copy_value, counts_values_or_atoms) {
  auto const tile = [](char const* val) {
    return format_tuple(make_tiled_copy(bits{128}, bits{32}, parse_layout("(4,8)"), parse_layout(val)).value().tiler);
  };
  EXPECT_EQ(tile("(1,1)"), "(16,8)");  // one atom of 4
  EXPECT_EQ(tile("(2,1)"), "(32,8)");  // two atoms
  EXPECT_EQ(tile("(4,1)"), "(16,8)");  // four values
  EXPECT_EQ(tile("(4,2)"), "(16,16)");
}

TEST(tiled_copy_value, names_what_does_not_fit) {
  auto const copy = make_tiled_copy(bits{128}, bits{32}, parse_layout("(4,8)"), vector_of(1)).value();
  EXPECT_EQ(partition(copy, 32, parse_layout("(16,8)")).error(), (error{errc::thread_out_of_range, 32, 32}));
  EXPECT_EQ(partition(copy, -1, parse_layout("(16,8)")).error(), (error{errc::thread_out_of_range, -1, 32}));
  EXPECT_EQ(partition(copy, 0, parse_layout("(20,8)")).error(), (error{errc::tiler_does_not_fit, 20, 16}));
  EXPECT_EQ(partition(copy, 0, vector_of(16)).error().code, errc::rank_mismatch);
  auto const code_of = [](long long atom, long long element, char const* thr, char const* val) {
    return make_tiled_copy(bits{atom}, bits{element}, parse_layout(thr), parse_layout(val)).error().code;
  };
  EXPECT_EQ(code_of(24, 16, "8", "1"), errc::atom_not_divisible);
  EXPECT_EQ(code_of(0, 16, "8", "1"), errc::atom_not_divisible);
  EXPECT_EQ(code_of(16, 0, "8", "1"), errc::atom_not_divisible);
  EXPECT_EQ(code_of(-16, -16, "8", "1"), errc::atom_not_divisible);
  EXPECT_EQ(code_of(16, 16, "8:2", "1"), errc::thr_layout_not_compact);
  EXPECT_EQ(code_of(16, 16, "0", "1"), errc::thr_layout_not_compact);
  EXPECT_EQ(code_of(16, 16, "8", "0"), errc::too_few_values);
}

}  // namespace
}  // namespace tilewright::test
