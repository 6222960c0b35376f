// tilewright mma: lists the matrix operations, or prints one's maps and which thread has what.
#include "apps/cli/command.hpp"
#include "apps/cli/nearest.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/shared_options.hpp"
#include "tilewright/layout/text.hpp"
#include "tilewright/render/mma_atoms.hpp"
#include "tilewright/render/writers.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <nlohmann/json.hpp>

namespace tilewright::cli {
namespace {

constexpr char const* introduction =
    "Lists the matrix operations, or prints which thread of one has which element of A, B and C. plot --atom draws\n"
    "them in files. N in a name that is listed is 8, 16, … 256.\n\n"
    "  tilewright mma\n"
    "  tilewright mma SM90_64x128x16_F32F16F16_RS\n"
    "  tilewright mma SM80_16x8x16_F32F16F16F32_TN\n"
    "  tilewright plot --atom SM80_16x8x16_F32F16F16F32_TN -o mma.svg";

nlohmann::ordered_json json_of(render::mma_maps const& m) {
  return {{"name", m.name},
          {"shape", {m.m, m.n, m.k}},
          {"types", {{"A", m.type_a}, {"B", m.type_b}, {"C", m.type_c}}},
          {"threads", format_layout(m.threads)},
          {"A", format_layout(m.a)},
          {"B", format_layout(m.b)},
          {"C", format_layout(m.c)}};
}

void print_maps(render::mma_maps const& m) {
  say("{}\n", m.name);
  say("  shape    ({},{},{}), which is (M,N,K)\n", m.m, m.n, m.k);
  say("  types    A {}, B {}, C and D {}\n", m.type_a, m.type_b, m.type_c);
  say("  threads  {}\n", format_layout(m.threads));
  auto const say_operand = [](char const* name, layout_value const& map, char const* rows, long long extent,
                              bool shared) {
    if (shared) say("  {}        in shared memory, {} + {} k, read by a matrix descriptor\n", name, rows, extent);
    else say("  {}        {}, (thread, value) to {} + {} k\n", name, format_layout(map), rows, extent);
  };
  say_operand("A", m.a, "m", m.m, m.a_is_shared);
  say_operand("B", m.b, "n", m.n, m.b_is_shared);
  say("  C        {}, (thread, value) to m + {} n\n\n", format_layout(m.c), m.m);
  put(render::to_text(render::mma_scene(m)));
}

/// Text has one line for all N of a warpgroup's operations, JSON each operation.
void list_operations(bool json) {
  if (!json) {
    for (std::string const& family : render::mma_families()) say("{}\n", family);
    return;
  }
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (std::string const& name : render::mma_names()) all.push_back(json_of(render::mma_named(name)));
  say("{}\n", all.dump(2));
}

}  // namespace

int run_mma(words const& given) {
  CLI::App app(introduction, "tilewright mma");
  std::string name;
  bool json = false;
  app.add_option("NAME", name, "the operation; all are listed if left out")->type_name("NAME");
  add_result_options(app, json);
  if (!parse(app, given)) return success;
  std::vector<std::string> const& known = render::mma_names();
  if (name.empty()) {
    list_operations(json);
    return success;
  }
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    std::string_view const near = nearest(name, known);
    throw usage_error(fmt::format(
        "there is no matrix operation {}; {}", in_quotation(name),
        near.empty() ? std::string("`tilewright mma` lists them") : fmt::format("did you mean '{}'?", near)));
  }
  render::mma_maps const& maps = render::mma_named(name);
  if (json) say("{}\n", json_of(maps).dump(2));
  else print_maps(maps);
  return success;
}

}  // namespace tilewright::cli
