#include "apps/cli/plan_ranks.hpp"

#include "apps/cli/option_values.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/shared_options.hpp"
#include "tilewright/distributed/topology.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <fstream>

namespace tilewright::cli {
namespace {

distributed_layout read_side(char const* role, std::string const& text, int ranks) {
  distributed_layout out = parse_distributed(text);
  if (out.ranks > ranks)
    throw usage_error(fmt::format("plan: the {} '{}' has {} ranks, and --ranks says {}; give --ranks {} or more", role,
                                  text, out.ranks, ranks, out.ranks));
  return out;
}

std::string time_text(double seconds) {
  return seconds >= 1e-3 ? fmt::format("{:.3g} ms", seconds * 1e3) : fmt::format("{:.3g} us", seconds * 1e6);
}

void print_comparison(std::string const& src_text, std::string const& dst_text, distributed_layout const& src,
                      distributed_layout const& dst, double bytes, topology const& where) {
  auto const traffic = traffic_of(src, dst, {where.ranks_per_node});
  double const own = estimate(traffic, bytes, where).seconds,
               packed = estimate_all_to_all(traffic, bytes, where).seconds;
  say("as one all-to-all of packed buffers {}, {:.2f} times as long\n", time_text(packed), packed / own);
  auto const from = read_distribution(src_text), to = read_distribution(dst_text);
  auto const are_shards = [](auto const& d) {
    return d && std::all_of(d->placements.begin(), d->placements.end(), [](placement const& p) {
             return p.how == placement::kind::replicate || p.how == placement::kind::block;
           });
  };
  if (!are_shards(from) || !are_shards(to) || from->mesh != to->mesh) {
    say("no DTensor has these two: both must be distribute(…) with placements S and R on one mesh\n");
    return;
  }
  double chain = 0;
  std::string names;
  for (collective_step const& s :
       dtensor_chain(from->shape, from->mesh, from->placements, to->placements, bytes, where)) {
    chain += s.seconds;
    names += fmt::format("{}{} along mesh axis {}", names.empty() ? "" : ", ", s.name, s.mesh_axis);
  }
  if (names.empty()) say("DTensor moves nothing\n");
  else say("as DTensor's chain {}, {:.2f} times as long: {}\n", time_text(chain), chain / own, names);
}

}  // namespace

void print_redistribution(std::string const& src, std::string const& dst, std::string const& element,
                          rank_texts const& texts, bool json) {
  int const ranks = static_cast<int>(read_integer_within("plan: --ranks", texts.ranks, 1, 1 << 20));
  distributed_layout const from = read_side("source", src, ranks), to = read_side("destination", dst, ranks);
  double const bytes = static_cast<double>(read_element_bits("plan", element)) / 8;
  topology const where = topology_named(texts.topology.empty() ? "host" : texts.topology);
  explain_options options;
  if (!texts.rank.empty())
    options.rank = static_cast<int>(read_integer_within("plan: --rank", texts.rank, 0, ranks - 1));
  if (!texts.svg.empty()) {
    std::ofstream file(texts.svg, std::ios::binary);
    file << traffic_svg(from, to, bytes);
    file.close();
    if (!file) throw usage_error(fmt::format("plan: the picture could not be written to {}", texts.svg));
  }
  if (json) {
    say("{}\n", to_json(from, to, bytes, where));
    return;
  }
  say("{}", explain(from, to, bytes, where, options));
  if (texts.compare) print_comparison(src, dst, from, to, bytes, where);
}

}  // namespace tilewright::cli
