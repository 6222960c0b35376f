// The golden results of CuTe, row by row at the value face; the underscores that mark static integers do not matter here.
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "families.hpp"

namespace tilewright::tests {
namespace {

struct row {
  std::vector<std::string> arguments;

  layout_value layout(std::size_t i) const { return parse_layout(arguments.at(i)); }
  tiler_value tiler(std::size_t i) const { return {parse_tiler(arguments.at(i))}; }
  int_tree tuple(std::size_t i) const { return parse_tuple(arguments.at(i)); }
  long long number(std::size_t i) const { return std::stoll(arguments.at(i)); }
  std::vector<int> numbers(std::size_t i) const {
    std::vector<int> out;
    layout_reader reader(arguments.at(i));
    do out.push_back(static_cast<int>(reader.read_integer()));
    while (reader.accept(','));
    return out;
  }
};

using answer = std::function<std::string(row const&)>;

std::string text(result<layout_value> const& r) { return r ? format_layout(*r) : to_string(r.error()); }
std::string text(result<long long> const& r) { return r ? std::to_string(*r) : to_string(r.error()); }

/// right_inverse(raked_product(thr, val)).with_shape(size(thr), size(val))
result<layout_value> layout_tv(layout_value const& thr, layout_value const& val) {
  auto const raked = raked_product(thr, val);
  if (!raked) return raked.error();
  return with_shape(*right_inverse(*raked), tuple_of({*size(thr), *size(val)}));
}

std::map<std::string, answer> answers() {
  using F = layout_value const&;
  auto const one = [](result<layout_value> (*f)(F)) { return [f](row const& r) { return text(f(r.layout(0))); }; };
  auto const two = [](result<layout_value> (*f)(F, F)) {
    return [f](row const& r) { return text(f(r.layout(0), r.layout(1))); };
  };
  auto const tiled = [](result<layout_value> (*f)(F, tiler_value const&)) {
    return [f](row const& r) { return text(f(r.layout(0), r.tiler(1))); };
  };
  return {
      {"coalesce", one(coalesce)},
      {"coalesce_bymode", one(coalesce_each)},
      {"filter", one(filter)},
      {"filter_zeros", one(filter_zeros)},
      {"left_inverse", one(left_inverse)},
      {"right_inverse", one(right_inverse)},
      {"nullspace", one(nullspace)},
      {"complement", [](row const& r) { return text(complement(r.layout(0), r.tuple(1))); }},
      {"composition", two(composition)},
      {"composition_bymode", tiled(composition)},
      {"logical_divide", tiled(logical_divide)},
      {"logical_divide_bymode", tiled(logical_divide)},
      {"zipped_divide", tiled(zipped_divide)},
      {"tiled_divide", tiled(tiled_divide)},
      {"flat_divide", tiled(flat_divide)},
      {"logical_product", tiled(logical_product)},
      {"zipped_product", tiled(zipped_product)},
      {"tiled_product", tiled(tiled_product)},
      {"flat_product", tiled(flat_product)},
      {"blocked_product", two(blocked_product)},
      {"raked_product", two(raked_product)},
      {"make_layout_tv", two(layout_tv)},
      {"max_common_layout", two(max_common_layout)},
      {"max_common_vector", [](row const& r) { return text(max_common_vector(r.layout(0), r.layout(1))); }},
      {"tile_to_shape", [](row const& r) { return text(tile_to_shape(r.layout(0), r.tuple(1))); }},
      {"domain_distribute", [](row const& r) { return text(domain_distribute(r.tuple(0), r.number(1))); }},
      {"upcast", [](row const& r) { return text(upcast(r.layout(0), r.number(1))); }},
      {"downcast", [](row const& r) { return text(downcast(r.layout(0), r.number(1))); }},
      {"cosize", [](row const& r) { return text(cosize(r.layout(0))); }},
      {"select", [](row const& r) { return text(select(r.layout(0), r.numbers(1))); }},
      {"group", [](row const& r) { return text(group(r.layout(0), r.numbers(1).at(0), r.numbers(1).at(1))); }},
      {"slice", [](row const& r) { return text(slice(r.tuple(1), r.layout(0))); }},
      {"dice", [](row const& r) { return text(dice(r.tuple(1), r.layout(0))); }},
  };
}

std::vector<std::string> split(std::string const& text, std::string const& separator) {
  std::vector<std::string> out;
  std::size_t from = 0;
  for (;;) {
    std::size_t const to = text.find(separator, from);
    out.push_back(text.substr(from, to - from));
    if (to == std::string::npos) return out;
    from = to + separator.size();
  }
}

std::string without_underscores(std::string text) {
  std::erase(text, '_');
  return text;
}

TEST(oracle, every_row_at_the_value_face) {
  std::ifstream file(TILEWRIGHT_TEST_DATA_DIR "/layout_algebra.tsv");
  ASSERT_TRUE(file) << "there is no " TILEWRIGHT_TEST_DATA_DIR "/layout_algebra.tsv";
  auto const known = answers();
  std::map<std::string, int> rows;
  for (std::string line; std::getline(file, line);) {
    auto const columns = split(line, "\t");
    ASSERT_EQ(columns.size(), 3u) << line;
    ASSERT_TRUE(known.contains(columns[0])) << line;
    ++rows[columns[0]];
    EXPECT_EQ(known.at(columns[0])(row{split(columns[1], " ; ")}), without_underscores(columns[2])) << line;
  }
  int total = 0;
  for (auto const& [operation, n] : rows) total += n;
  EXPECT_EQ(total, 1960);
  EXPECT_EQ(rows.size(), known.size());
}

}  // namespace
}  // namespace tilewright::tests
