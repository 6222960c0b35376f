#include "engine/kernels/cuda/parts/prove_modes.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstddef>

namespace tilewright::kernels {

using plan::failure;

failure covers_once(std::vector<cuda_mode> const& modes, int loop, std::int64_t vector, std::int64_t extent,
                    char const* what) {
  std::vector<std::int64_t> at{0};
  auto const spread = [&](std::int64_t step, std::int64_t count) {
    std::size_t const below = at.size();
    for (std::int64_t k = 1; k < count; ++k)
      for (std::size_t i = 0; i < below; ++i)
        if (at[i] + k * step < extent) at.push_back(at[i] + k * step);
  };
  spread(1, vector);
  for (cuda_mode const& m : modes)
    if (m.loop == loop) spread(m.step, m.extent);
  std::sort(at.begin(), at.end());
  for (std::size_t i = 0; i < at.size(); ++i)
    if (at[i] != static_cast<std::int64_t>(i))
      return at[i] < static_cast<std::int64_t>(i)
                 ? fmt::format("{}: loop {} copies coordinate {} twice", what, loop, at[i])
                 : fmt::format("{}: loop {} skips coordinate {}", what, loop, i);
  if (static_cast<std::int64_t>(at.size()) != extent)
    return fmt::format("{}: loop {} skips coordinate {}", what, loop, at.size());
  return {};
}

namespace {

failure access_covers(copy_plan const& plan, cuda_access const& a, int packed_loop, std::int64_t packed,
                      char const* what) {
  for (std::size_t i = 0; i < plan.tile.size(); ++i) {
    std::vector<cuda_mode> modes = a.threads;
    modes.insert(modes.end(), a.values.begin(), a.values.end());
    auto const loop = static_cast<int>(i);
    if (loop == packed_loop && packed > 1) modes.push_back({loop, 1, packed});
    if (failure f = covers_once(modes, loop, a.loop == loop ? a.vector : 1, plan.tile[i], what)) return f;
  }
  return {};
}

/// Each element of a tile has a place of its own within the shared memory.
failure places_are_distinct(copy_plan const& plan, cuda_schedule const& s) {
  if (s.shared.size() != plan.tile.size())
    return fmt::format("{} modes of shared memory for {} loops", s.shared.size(), plan.tile.size());
  std::vector<std::int64_t> places{0};
  for (std::size_t i = 0; i < plan.tile.size(); ++i) {
    std::size_t const below = places.size();
    places.reserve(below * static_cast<std::size_t>(plan.tile[i]));
    for (std::int64_t x = 1; x < plan.tile[i]; ++x)
      for (std::size_t k = 0; k < below; ++k) places.push_back(places[k] + s.shared[i](x));
  }
  std::sort(places.begin(), places.end());
  if (std::adjacent_find(places.begin(), places.end()) != places.end())
    return "two elements of a tile share a place in shared memory";
  if (places.front() < 0 || (places.back() + 1) * plan.moves.element_bits / 8 > s.shared_bytes)
    return fmt::format("the tile's last place, {}, is beyond {} bytes of shared memory", places.back(), s.shared_bytes);
  return {};
}

}  // namespace

failure modes_failure(copy_plan const& plan, cuda_schedule const& s) {
  if (failure f = access_covers(plan, s.read, s.read.loop, 1, "read")) return f;
  if (s.kernel == cuda_kernel::runs) return {};
  if (failure f = access_covers(plan, s.write, s.read.loop, s.packed, "write")) return f;
  return places_are_distinct(plan, s);
}

}  // namespace tilewright::kernels
