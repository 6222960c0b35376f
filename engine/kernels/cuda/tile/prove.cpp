#include "engine/kernels/cuda/tile/prove.hpp"

#include "engine/kernels/cuda/tile/numbers.hpp"
#include "engine/kernels/cuda/tile/sides.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

namespace tilewright::kernels {
namespace {

using plan::failure;
using std::int64_t;

constexpr int max_stages = 8;

class proof {
 public:
  proof(copy_plan const& plan, cuda_schedule const& s)
      : plan_(plan),
        m_(plan.moves),
        s_(s),
        element_(plan.moves.element_bits / 8) {}

  failure run() const {
    if (m_.is_swizzled() || element_ < 1) return "no tile copy moves swizzled or such elements";
    if (s_.place.size() != plan_.tile.size())
      return fmt::format("{} places for {} loops", s_.place.size(), plan_.tile.size());
    if (s_.stages > 0) return pipeline_failure();
    for (bool const source : {true, false}) {
      if (failure f = modes_cover(source)) return f;
      if (failure f = rows_are_contiguous(source)) return f;
      if (failure f = accesses_are_aligned(source)) return f;
    }
    if (failure f = rows_can_be_packed()) return f;
    if (failure f = places_are_distinct()) return f;
    if (failure f = stores_are_aligned()) return f;
    return memory_is_enough("the tile and its tables");
  }

 private:
  failure memory_is_enough(char const* what) const {
    int const needed = numbers_of(plan_).shared_bytes;
    if (s_.shared_bytes >= needed) return {};
    return fmt::format("{} need {} bytes of shared memory, not {}", what, needed, s_.shared_bytes);
  }

  /// Of blocks that stay. They take tiles one after another, `blocks` apart, so that any number of blocks copies all.
  failure pipeline_failure() const {
    if (s_.stages < 2 || s_.stages > max_stages) return fmt::format("a pipeline has {} stages", s_.stages);
    if (s_.blocks < 1) return fmt::format("a grid of {} blocks", s_.blocks);
    if (s_.fetch != cuda_fetch::none || s_.source.packed > 1 || s_.target.packed > 1 || s_.source.lanes != 0 ||
        s_.target.lanes != 0)
      return "a pipeline neither fetches nor packs nor shares rows";
    for (bool const source : {true, false}) {
      if (failure f = modes_cover(source)) return f;
      if (side(source).run.empty()) return fmt::format("the {} has no rows", name(source));
      if (failure f = run_follows(source)) return f;
    }
    if (stride(false, s_.target.run.front().loop) != 1)
      return "elements of the destination's rows do not follow each other";
    if (s_.target.vector * element_ != std::max<int64_t>(element_, word_bytes))
      return fmt::format("accesses of {} elements are no words", s_.target.vector);
    if (!s_.target.shifted)
      if (failure f = accesses_are_aligned(false)) return f;
    if (failure f = granules_are_apart()) return f;
    if (failure f = places_are_distinct()) return f;
    return memory_is_enough("the tiles");
  }

  /// A row of the source is in shared memory what it is in memory. Rows are as far apart modulo a granule as they are there, and
  /// no granule has bytes of two rows.
  failure granules_are_apart() const {
    int64_t reach = element_;
    for (cuda_mode const& x : s_.source.run) {
      int64_t const step = stride(true, x.loop) * element_;
      if (place(x.loop) != step)
        return fmt::format("elements {} bytes apart along loop {} are {} apart in shared memory", step, x.loop,
                           place(x.loop));
      reach += (x.extent - 1) * step;
    }
    for (cuda_mode const& x : s_.source.rows) {
      int64_t const step = stride(true, x.loop) * element_, at = place(x.loop);
      if ((step - at) % granule_bytes != 0)
        return fmt::format("rows {} bytes apart along loop {} are {} apart in shared memory", step, x.loop, at);
      if (at < reach + granule_bytes - 1)
        return fmt::format("rows of {} bytes are {} apart in shared memory along loop {}", reach, at, x.loop);
      reach += (x.extent - 1) * at;
    }
    return {};
  }

  tile_side const& side(bool source) const { return source ? s_.source : s_.target; }
  char const* name(bool source) const { return source ? "source" : "destination"; }
  int64_t tile(int l) const { return plan_.tile[static_cast<std::size_t>(l)]; }
  int64_t place(int l) const { return s_.place[static_cast<std::size_t>(l)]; }
  int64_t extent(int l) const { return m_.loops[static_cast<std::size_t>(l)].extent; }
  int64_t stride(bool source, int l) const {
    loop const& x = m_.loops[static_cast<std::size_t>(l)];
    return std::abs(source ? x.src : x.dst);
  }
  int64_t access(bool source) const { return side(source).vector; }

  /// Each loop of the tile is a mode of the side once; those that the source repeats are not among its modes.
  failure modes_cover(bool source) const {
    std::vector<int64_t> seen(plan_.tile.size(), 1);
    for (auto const* modes : {&side(source).run, &side(source).rows})
      for (cuda_mode const& x : *modes) {
        auto const l = static_cast<std::size_t>(x.loop);
        if (l >= seen.size() || x.step != 1 || x.extent < 2 || seen[l] != 1)
          return fmt::format("loop {} is not one mode of the {}", x.loop, name(source));
        seen[l] = x.extent;
      }
    for (std::size_t l = 0; l < seen.size(); ++l) {
      int64_t const wanted = stride(source, static_cast<int>(l)) == 0 ? 1 : plan_.tile[l];
      if (seen[l] != wanted)
        return fmt::format("the {} has {} of {} coordinates of loop {}", name(source), seen[l], wanted, l);
    }
    return {};
  }

  /// A row's elements are equally far apart, next to each other for wide accesses, and only its last loop is cut into tiles.
  failure rows_are_contiguous(bool source) const {
    tile_side const& of = side(source);
    int64_t const next = of.run.empty() ? 1 : stride(source, of.run.front().loop);
    if ((of.vector > 1 || of.shifted) && next != 1)
      return fmt::format("rows of the {} have elements {} apart and accesses of several", name(source), next);
    return run_follows(source);
  }
  failure run_follows(bool source) const {
    tile_side const& of = side(source);
    int64_t next = of.run.empty() ? 1 : stride(source, of.run.front().loop);
    for (std::size_t i = 0; i < of.run.size(); ++i) {
      int const l = of.run[i].loop;
      if (stride(source, l) != next) return fmt::format("loop {} does not continue a row of the {}", l, name(source));
      if (i + 1 < of.run.size() && tile(l) != extent(l))
        return fmt::format("loop {} is cut within a row of the {}", l, name(source));
      next *= tile(l);
    }
    return {};
  }

  /// Every byte at which a vector can begin is a multiple of the vector.
  failure accesses_are_aligned(bool source) const {
    bool const shifted = side(source).shifted;
    if (!source && shifted) {
      int64_t const length = size_of(side(source).run), access = side(source).vector;
      if (length < access) return fmt::format("rows of {} elements are shorter than an access of {}", length, access);
    }
    int64_t const n = shifted ? side(source).begins : side(source).vector;
    if (n < 1) return fmt::format("rows of the {} begin at multiples of {}", name(source), n);
    if (n == 1 || (source && shifted)) return {};
    int64_t begin = source ? m_.src_offset : m_.dst_offset;
    int64_t inner = 1;
    std::vector<bool> is_run(plan_.tile.size(), false);
    for (cuda_mode const& x : side(source).run) {
      is_run[static_cast<std::size_t>(x.loop)] = true;
      inner *= x.extent;
    }
    if (!shifted && inner % n != 0)
      return fmt::format("rows of {} elements are no whole number of vectors of {}", inner, n);
    for (std::size_t k = 0; k < plan_.tile.size(); ++k) {
      auto const l = static_cast<int>(k);
      int64_t const s = stride(source, l), t = tile(l), last = extent(l) % t;
      bool const backwards = source && m_.loops[k].src < 0;
      if (backwards) begin += (t - 1) * m_.loops[k].src;
      bool const holds = (is_run[k] || t == 1 || s % n == 0) && (t == extent(l) || s * t % n == 0) &&
                         (!backwards || last == 0 || s * (t - last) % n == 0);
      if (!holds) return fmt::format("steps of loop {} are no multiples of vectors of {} elements", l, n);
    }
    if (begin % n != 0) return fmt::format("the first tile of the {} does not begin with a vector", name(source));
    return {};
  }

  /// Places grow from mode to mode by more than what the smaller modes reach.
  failure places_are_distinct() const {
    std::vector<std::pair<int64_t, int>> modes;
    for (std::size_t l = 0; l < plan_.tile.size(); ++l) {
      bool const is_stored = plan_.tile[l] > 1 && m_.loops[l].src != 0;
      if (!is_stored && plan_.tile[l] > 1 && s_.place[l] != 0)
        return fmt::format("loop {} repeats the source and has places of its own", l);
      if (is_stored) modes.emplace_back(s_.place[l], static_cast<int>(l));
    }
    std::sort(modes.begin(), modes.end());
    int64_t reach = element_;
    for (auto const& [step, l] : modes) {
      if (step < reach)
        return fmt::format("steps of loop {} are {} bytes apart in shared memory, over {}", l, step, reach);
      reach += (tile(l) - 1) * step;
    }
    if (reach > max_place) return fmt::format("places reach {}, beyond {}", reach, max_place);
    return {};
  }

  /// Rows that are read together follow each other in the destination and fill words; only they are shared between threads along
  /// two modes.
  failure rows_can_be_packed() const {
    tile_side const &from = s_.source, &to = s_.target;
    if (to.packed != 1 || (from.packed == 1 && from.lanes != 0)) return "such rows are read one by one";
    if (from.packed == 1) return {};
    if (from.packed * element_ != word_bytes || from.vector * element_ % word_bytes != 0)
      return fmt::format("{} rows by accesses of {} elements of {} bytes fill no words", from.packed, from.vector,
                         element_);
    if (from.rows.empty() || place(from.rows.front().loop) != element_ || from.run.empty())
      return "the rows that are read together do not follow each other in shared memory";
    if (s_.store_bytes != word_bytes) return fmt::format("words are stored by {} bytes", s_.store_bytes);
    int64_t next = place(from.run.front().loop);
    for (cuda_mode const& x : from.run) {
      if (place(x.loop) != next) return fmt::format("columns along loop {} are not equally far apart", x.loop);
      next *= x.extent;
    }
    for (std::size_t l = 0; l < plan_.tile.size(); ++l) {
      bool const is_other = plan_.tile[l] > 1 && m_.loops[l].src != 0 && static_cast<int>(l) != from.rows.front().loop;
      if (is_other && s_.place[l] % word_bytes != 0)  // so that a word which is not full reaches into nothing either
        return fmt::format("words begin {} bytes apart along loop {}", s_.place[l], l);
    }
    return {};
  }

  /// A store to shared memory does not reach into another row, nor cut an access in two.
  failure stores_are_aligned() const {
    if (side(true).packed > 1) return {};
    int64_t const width = side(true).vector * element_, store = s_.store_bytes;
    if (store < 1 || width % store != 0) return fmt::format("accesses of {} bytes are stored by {}", width, store);
    int64_t length = 1, reach = element_;
    for (cuda_mode const& x : side(true).run) {
      bool const follows = place(x.loop) == reach;
      if (length % access(true) != 0 && !follows) return "padding cuts an access in two";
      if (length % access(true) == 0 && place(x.loop) % store != 0) return "an access is stored at an odd place";
      length *= x.extent;
      reach += (x.extent - 1) * place(x.loop);
    }
    // The last access of a row that is shifted goes beyond it.
    int64_t const end = side(true).shifted ? (reach + width - 1) / width * width : reach;
    for (cuda_mode const& x : side(true).rows)
      if (place(x.loop) % store != 0 || place(x.loop) < end)
        return fmt::format("rows of {} bytes are stored {} bytes apart", reach, place(x.loop));
    return {};
  }

  copy_plan const& plan_;
  movement const& m_;
  cuda_schedule const& s_;
  int64_t element_;
};

}  // namespace

failure tile_failure(copy_plan const& plan, cuda_schedule const& s) { return proof(plan, s).run(); }

}  // namespace tilewright::kernels
