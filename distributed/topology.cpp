#include "tilewright/distributed/topology.hpp"

#include "tilewright/plan/copy_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <array>

namespace tilewright {
namespace {

topology const known_topologies[] = {
    {"nvlink", 1 << 20, 450e9, 450e9, false, 0, 1, 2e-6, 4.0e12},
    {"rail", 8, 450e9, 50e9, true, 0, 2, 2e-6, 4.0e12},
    {"fat-tree", 8, 450e9, 50e9, false, 4, 1, 2e-6, 4.0e12},
    {"host", 1 << 20, 10e9, 10e9, false, 0, 1, 1e-6, 20e9},
};

/// Bytes over each link: of a rank within its node and out of it, of a leaf's uplink; out and in.
struct links {
  explicit links(std::vector<pair_traffic> const& traffic, topology const& where) : t(where) {
    if (t.ranks_per_node < 1 || t.nodes_per_leaf < 0 || !(t.node_bytes_per_second > 0) ||
        !(t.network_bytes_per_second > 0) || !(t.memory_bytes_per_second > 0) || !(t.oversubscription > 0))
      throw copy_error(
          copy_errc::bad_option,
          fmt::format("the topology {} has {} ranks per node and a speed or oversubscription that is not above 0",
                      t.name, t.ranks_per_node));
    for (pair_traffic const& p : traffic) ranks = std::max({ranks, p.from + 1, p.to + 1});
    for (auto* side : {&node, &network, &own})
      for (auto& direction : *side) direction.assign(static_cast<std::size_t>(ranks), 0);
    int const nodes = (ranks + t.ranks_per_node - 1) / t.ranks_per_node;
    leaves = t.rails                 ? std::min(t.ranks_per_node, ranks)
             : t.nodes_per_leaf == 0 ? 1
                                     : (nodes + t.nodes_per_leaf - 1) / t.nodes_per_leaf;
    leaf_links.assign(static_cast<std::size_t>(leaves), 0);
    for (int r = 0; r < ranks; ++r) ++leaf_links[leaf_of(r)];
    for (auto& direction : uplink) direction.assign(static_cast<std::size_t>(leaves), 0);
    messages.assign(static_cast<std::size_t>(ranks), 0);
  }
  std::size_t leaf_of(int r) const {
    if (t.rails) return static_cast<std::size_t>(r % t.ranks_per_node);
    return t.nodes_per_leaf == 0 ? 0 : static_cast<std::size_t>(r / t.ranks_per_node / t.nodes_per_leaf);
  }
  void add(pair_traffic const& p, double bytes) {
    auto const from = static_cast<std::size_t>(p.from), to = static_cast<std::size_t>(p.to);
    if (p.from == p.to) {
      own[0][from] += bytes;
      return;
    }
    messages[from] += 1;
    bool const inside = p.from / t.ranks_per_node == p.to / t.ranks_per_node;
    auto& side = inside ? node : network;
    side[0][from] += bytes;
    side[1][to] += bytes;
    if (inside || leaf_of(p.from) == leaf_of(p.to)) return;
    uplink[0][leaf_of(p.from)] += bytes;
    uplink[1][leaf_of(p.to)] += bytes;
  }

  topology const& t;
  int ranks = 1, leaves = 1;
  std::array<std::vector<double>, 2> node, network, own, uplink;
  std::vector<std::int64_t> leaf_links, messages;
};

std::int64_t total(std::vector<double> const& all) {
  double sum = 0;
  for (double const x : all) sum += x;
  return static_cast<std::int64_t>(sum);
}

exchange_estimate estimate_links(links const& l) {
  exchange_estimate out;
  topology const& t = l.t;
  auto const consider = [&](double seconds, auto const& name) {
    if (seconds <= out.seconds) return;
    out.seconds = seconds;
    out.slowest = name();
  };
  constexpr std::array directions{"out", "in"};
  for (std::size_t d = 0; d < 2; ++d) {
    for (std::size_t r = 0; r < static_cast<std::size_t>(l.ranks); ++r) {
      consider(l.node[d][r] / t.node_bytes_per_second,
               [&] { return fmt::format("rank {}'s link within its node, {}", r, directions[d]); });
      consider(l.network[d][r] / t.network_bytes_per_second,
               [&] { return fmt::format("rank {}'s link into the network, {}", r, directions[d]); });
    }
    for (std::size_t leaf = 0; leaf < static_cast<std::size_t>(l.leaves); ++leaf)
      consider(l.uplink[d][leaf] * t.oversubscription /
                   (t.network_bytes_per_second * static_cast<double>(l.leaf_links[leaf])),
               [&] { return fmt::format("the uplink of leaf {}, {}", leaf, directions[d]); });
  }
  for (std::size_t r = 0; r < static_cast<std::size_t>(l.ranks); ++r) {
    out.max_messages = std::max(out.max_messages, l.messages[r]);
    out.messages += l.messages[r];
    consider(2 * l.own[0][r] / t.memory_bytes_per_second, [&] { return fmt::format("rank {}'s own copy", r); });
    consider(static_cast<double>(l.messages[r]) * t.message_seconds,
             [&] { return fmt::format("rank {}'s {} messages", r, l.messages[r]); });
  }
  out.node_bytes = total(l.node[0]);
  out.network_bytes = total(l.network[0]);
  out.uplink_bytes = total(l.uplink[0]);
  out.own_bytes = total(l.own[0]);
  return out;
}

}  // namespace

topology topology_named(std::string_view name) {
  for (topology const& t : known_topologies)
    if (t.name == name) return t;
  throw copy_error(copy_errc::bad_option,
                   fmt::format("there is no topology '{}'; they are {}", name, fmt::join(topology_names(), ", ")));
}

std::vector<std::string> topology_names() {
  std::vector<std::string> out;
  for (topology const& t : known_topologies) out.push_back(t.name);
  return out;
}

exchange_estimate estimate(std::vector<pair_traffic> const& traffic, double element_bytes, topology const& where) {
  links all(traffic, where);
  for (pair_traffic const& p : traffic) all.add(p, static_cast<double>(p.elements) * element_bytes);
  return estimate_links(all);
}

exchange_estimate estimate_all_to_all(std::vector<pair_traffic> const& traffic, double element_bytes,
                                      topology const& where) {
  exchange_estimate out = estimate(traffic, element_bytes, where);
  std::vector<double> packed, unpacked;
  for (pair_traffic const& p : traffic) {
    auto const widest = static_cast<std::size_t>(std::max(p.from, p.to)) + 1;
    if (packed.size() < widest) packed.resize(widest, 0), unpacked.resize(widest, 0);
    packed[static_cast<std::size_t>(p.from)] += static_cast<double>(p.elements) * element_bytes;
    unpacked[static_cast<std::size_t>(p.to)] += static_cast<double>(p.elements) * element_bytes;
  }
  if (packed.empty()) return out;
  out.seconds += 2 * *std::max_element(packed.begin(), packed.end()) / where.memory_bytes_per_second;
  out.seconds += 2 * *std::max_element(unpacked.begin(), unpacked.end()) / where.memory_bytes_per_second;
  return out;
}

std::vector<collective_step> dtensor_chain(std::vector<std::int64_t> const& shape, std::vector<int> const& mesh,
                                           std::vector<placement> const& from, std::vector<placement> const& to,
                                           double element_bytes, topology const& where) {
  (void)from_dtensor(shape, mesh, from);
  (void)from_dtensor(shape, mesh, to);
  double local = element_bytes;
  for (std::int64_t const n : shape) local *= static_cast<double>(n);
  std::vector<placement> now = from;
  for (std::size_t m = 0; m < mesh.size(); ++m)
    if (now[m].how == placement::kind::block) local /= mesh[m];
  std::vector<collective_step> out;
  auto const move = [&](std::size_t m, placement const& next) {
    if (now[m] == next || mesh[m] == 1) {
      now[m] = next;
      return;
    }
    // Neighbours along the mesh axis are `apart` ranks from each other; a group that fits in a node stays in it.
    std::int64_t apart = 1;
    for (std::size_t k = m + 1; k < mesh.size(); ++k) apart *= mesh[k];
    bool const inside = apart * mesh[m] <= where.ranks_per_node;
    double const speed = inside ? where.node_bytes_per_second : where.network_bytes_per_second;
    int const n = mesh[m];
    collective_step s{"slice", static_cast<int>(m), 0, 0};
    double received = 0, passes = 0;
    if (next.how == placement::kind::replicate) {
      s.name = "all-gather";
      received = local * (n - 1);
      local *= n;
      passes = 0;
    } else if (now[m].how == placement::kind::block) {
      s.name = "all-to-all";
      received = local * (n - 1) / n;
      passes = 4 * local;  // packing and unpacking
    } else {
      local /= n;
      passes = 2 * local;
    }
    s.bytes = static_cast<std::int64_t>(received);
    s.seconds = received / speed + passes / where.memory_bytes_per_second +
                (received > 0 ? (n - 1) * where.message_seconds : 0);
    out.push_back(s);
    now[m] = next;
  };
  // From the innermost axis of the mesh outwards: where outer axes will shard the new tensor axis differently from now, the
  // shards would not nest, so these are gathered. Then from the outermost inwards.
  auto const outer_shards = [](std::vector<placement> const& all, std::size_t below, int axis) {
    std::vector<std::size_t> which;
    for (std::size_t k = 0; k < below; ++k)
      if (all[k].how == placement::kind::block && all[k].axis == axis) which.push_back(k);
    return which;
  };
  for (std::size_t m = mesh.size(); m-- > 0;) {
    bool const misaligned =
        to[m].how == placement::kind::block && outer_shards(now, m, to[m].axis) != outer_shards(to, m, to[m].axis);
    move(m, misaligned ? replicate() : to[m]);
  }
  for (std::size_t m = 0; m < mesh.size(); ++m) move(m, to[m]);
  return out;
}

}  // namespace tilewright
