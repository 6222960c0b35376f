// Redistributions as text, as JSON and as a picture. Everything is computed before; here it is formatted.
#include "distributed/prepared.hpp"
#include "tilewright/distributed/topology.hpp"
#include "tilewright/plan/copy_error.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <nlohmann/json.hpp>

namespace tilewright {
namespace {

std::string bytes_words(double bytes) {
  constexpr char const* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t u = 0;
  while (bytes >= 1024 && u + 1 < std::size(units)) {
    bytes /= 1024;
    ++u;
  }
  return u == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.4g} {}", bytes, units[u]);
}
std::string time_words(double seconds) {
  if (seconds >= 1) return fmt::format("{:.3g} s", seconds);
  return seconds >= 1e-3 ? fmt::format("{:.3g} ms", seconds * 1e3) : fmt::format("{:.3g} us", seconds * 1e6);
}

/// What all ranks together lack of the destination, from the extents of what they have in common.
struct sums {
  std::int64_t wanted = 0, own = 0, sent = 0, messages = 0;
  std::int64_t bound() const { return wanted - own; }
};

sums sums_of(distributed_layout const& dst, std::vector<pair_traffic> const& traffic) {
  sums out;
  distributed::prepared const receivers(dst);
  for (int r = 0; r < dst.ranks; ++r) out.wanted += receivers.elements(receivers.class_of(r));
  for (pair_traffic const& p : traffic) {
    (p.from == p.to ? out.own : out.sent) += p.elements;
    out.messages += p.from == p.to ? 0 : 1;
  }
  return out;
}

std::string matrix_cell(double share) {
  int const level = static_cast<int>(std::clamp(255 - share * 200, 0.0, 255.0));
  return fmt::format("#{:02x}{:02x}ff", level, level);
}

}  // namespace

std::string explain(distributed_layout const& src, distributed_layout const& dst, double element_bytes,
                    topology const& where, explain_options const& options) {
  exchange_options const exchange{where.ranks_per_node};
  std::vector<pair_traffic> const traffic = traffic_of(src, dst, exchange);
  sums const all = sums_of(dst, traffic);
  exchange_estimate const e = estimate(traffic, element_bytes, where);
  auto const bytes = [&](std::int64_t n) { return bytes_words(static_cast<double>(n) * element_bytes); };
  std::string out = fmt::format("from  {}\nto    {}\n", to_text(src), to_text(dst));
  out += fmt::format("{} elements of {:g} bytes on {} ranks\n\n", elements_of(src), element_bytes,
                     std::max(src.ranks, dst.ranks));
  out += fmt::format("{:>6} {:>6} {:>12} {:>9}\n", "from", "to", "bytes", "pieces");
  int lines = 0;
  std::int64_t hidden = 0;
  for (pair_traffic const& p : traffic) {
    if (options.rank >= 0 && p.from != options.rank && p.to != options.rank) continue;
    if (lines++ >= options.max_pairs) ++hidden;
    else
      out += fmt::format("{:>6} {:>6} {:>12} {:>9}{}\n", p.from, p.to, bytes(p.elements), p.pieces,
                         p.from == p.to ? "  own copy" : "");
  }
  if (hidden > 0) out += fmt::format("... and {} further pairs\n", hidden);
  out += fmt::format("\nwanted {}, own copies {}, sent {} in {} messages\n", bytes(all.wanted), bytes(all.own),
                     bytes(all.sent), all.messages);
  out += fmt::format("lower bound {}: {}\n", bytes(all.bound()),
                     all.sent == all.bound() ? "what is sent equals it"
                                             : fmt::format("{} more are sent", bytes(all.sent - all.bound())));
  out += fmt::format("expected {} on {}{}\n", time_words(e.seconds), where.name,
                     e.slowest.empty() ? "" : ", the time of " + e.slowest);
  if (options.proof) {
    plan_proof const proof = prove(src, dst, exchange);
    out += proof ? "proved: each rank gets each element that it lacks once, from a rank that has it\n"
                 : "not proved: " + proof.failure + "\n";
  }
  return out;
}

std::string to_json(distributed_layout const& src, distributed_layout const& dst, double element_bytes,
                    topology const& where, int indent) {
  exchange_options const exchange{where.ranks_per_node};
  std::vector<pair_traffic> const traffic = traffic_of(src, dst, exchange);
  sums const all = sums_of(dst, traffic);
  exchange_estimate const e = estimate(traffic, element_bytes, where),
                          a2a = estimate_all_to_all(traffic, element_bytes, where);
  auto const bytes = [&](std::int64_t n) { return static_cast<std::int64_t>(static_cast<double>(n) * element_bytes); };
  plan_proof const proof = prove(src, dst, exchange);
  nlohmann::ordered_json out{{"from", to_text(src)},
                             {"to", to_text(dst)},
                             {"shape", shape_of(src)},
                             {"ranks", std::max(src.ranks, dst.ranks)},
                             {"element_bytes", element_bytes},
                             {"wanted_bytes", bytes(all.wanted)},
                             {"own_bytes", bytes(all.own)},
                             {"sent_bytes", bytes(all.sent)},
                             {"bound_bytes", bytes(all.bound())},
                             {"messages", all.messages},
                             {"topology", where.name},
                             {"seconds", e.seconds},
                             {"slowest", e.slowest},
                             {"all_to_all_seconds", a2a.seconds},
                             {"proved", proof.holds}};
  if (!proof) out["failure"] = proof.failure;
  out["pairs"] = nlohmann::ordered_json::array();
  for (pair_traffic const& p : traffic)
    out["pairs"].push_back({{"from", p.from}, {"to", p.to}, {"bytes", bytes(p.elements)}, {"pieces", p.pieces}});
  return out.dump(indent);
}

std::string traffic_svg(distributed_layout const& src, distributed_layout const& dst, double element_bytes) {
  int const ranks = std::max(src.ranks, dst.ranks);
  if (ranks > 64)
    throw copy_error(copy_errc::bad_option,
                     fmt::format("a picture of who sends to whom has at most 64 ranks, and there are {}", ranks));
  std::vector<pair_traffic> const traffic = traffic_of(src, dst);
  std::int64_t most = 1;
  for (pair_traffic const& p : traffic) most = std::max(most, p.elements);
  int const cell = ranks <= 16 ? 56 : 20, left = 64, top = 64, side = ranks * cell;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" font-size=\"{2}\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
      left + side + 16, top + side + 16, ranks <= 16 ? 12 : 8);
  out += fmt::format("<text x=\"{}\" y=\"16\" text-anchor=\"middle\">to rank</text>\n", left + side / 2);
  out += fmt::format("<text transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\">from rank</text>\n",
                     top + side / 2);
  for (int r = 0; r < ranks; ++r) {
    out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", left + r * cell + cell / 2,
                       top - 8, r);
    out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", left - 8,
                       top + r * cell + cell / 2 + 4, r);
  }
  for (pair_traffic const& p : traffic) {
    int const x = left + p.to * cell, y = top + p.from * cell;
    std::string const bytes = bytes_words(static_cast<double>(p.elements) * element_bytes);
    out += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"><title>{} to {}: {}</title></rect>\n", x, y,
        cell, cell,
        p.from == p.to ? "#d8d8d8" : matrix_cell(static_cast<double>(p.elements) / static_cast<double>(most)), p.from,
        p.to, bytes);
    if (ranks <= 16)
      out += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"9\" text-anchor=\"middle\">{}</text>\n", x + cell / 2,
                         y + cell / 2 + 3, bytes);
  }
  for (int k = 0; k <= ranks; ++k) {
    out += fmt::format("<path d=\"M{} {}v{}M{} {}h{}\" stroke=\"#808080\" fill=\"none\"/>\n", left + k * cell, top,
                       side, left, top + k * cell, side);
  }
  return out + "</svg>\n";
}

}  // namespace tilewright
