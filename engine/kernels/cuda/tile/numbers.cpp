#include "engine/kernels/cuda/tile/numbers.hpp"

#include "engine/kernels/cuda/parts/text.hpp"
#include "engine/kernels/cuda/tile/sides.hpp"
#include "engine/plan/banks.hpp"
#include "engine/plan/dense_run.hpp"
#include "tilewright/base/math.hpp"
#include "tilewright/machine/arch.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <numeric>

namespace tilewright::kernels {
namespace {

using std::int64_t;

constexpr architecture gpu = arch(arch_id::sm_90);
constexpr int table_alignment = 16;
constexpr int max_row_table_bytes = 4096, max_place_table_bytes = 4096;
constexpr std::size_t max_counted_modes = 2, max_modes_of_accesses = 4, max_modes_of_elements = 3;

int aligned(int64_t bytes) {
  return static_cast<int>((bytes + table_alignment - 1) / table_alignment * table_alignment);
}

class builder {
 public:
  explicit builder(copy_plan const& plan) : plan_(plan), m_(plan.moves), s_(std::get<cuda_schedule>(plan.schedule)) {}

  tile_numbers run() {
    n_.element = m_.element_bits / 8;
    n_.threads = s_.threads;
    n_.store_bytes = s_.store_bytes;
    n_.evict_source_last = s_.evict_source_last;
    n_.fetch = s_.fetch;
    offset_range const source = source_range(m_);
    n_.src_low = source.first * n_.element;
    n_.src_high = (source.last + 1) * n_.element;
    n_.src_begin = m_.src_offset * n_.element;
    n_.dst_begin = m_.dst_offset * n_.element;
    limits();
    grid();
    sides();
    if (s_.stages > 0) {
      stages();
      return n_;
    }
    if (n_.write.run_step != n_.element) n_.fetch = cuda_fetch::none;  // no tile of the planner's: its rows have gaps
    if (n_.fetch == cuda_fetch::spans && n_.write.row_modes.empty()) n_.fetch = cuda_fetch::sectors;
    tables();
    return n_;
  }

 private:
  loop const& loop_at(int l) const { return m_.loops[static_cast<std::size_t>(l)]; }
  int tile(int l) const { return static_cast<int>(plan_.tile[static_cast<std::size_t>(l)]); }
  int place(int l) const { return static_cast<int>(s_.place[static_cast<std::size_t>(l)]); }
  bool is_flipped(int l) const { return loop_at(l).src < 0; }
  int limit_of(int l) const { return limit_of_[static_cast<std::size_t>(l)]; }

  void limits() {
    int64_t last_byte = n_.element;
    for (int l = 0; l < static_cast<int>(m_.loops.size()); ++l) {
      loop const& x = loop_at(l);
      last_byte += (tile(l) - 1) * std::abs(x.src) * n_.element;
      if (is_flipped(l)) n_.src_begin += (tile(l) - 1) * x.src * n_.element;
      bool const is_cut = x.extent % tile(l) != 0;
      limit_of_.push_back(is_cut ? static_cast<int>(n_.limits.size()) : -1);
      if (!is_cut) continue;
      n_.limits.push_back({tile(l), static_cast<int>(x.extent % tile(l)), is_flipped(l) ? x.src * n_.element : 0,
                           is_flipped(l) ? place(l) : 0});
    }
    n_.src_span = last_byte;
  }

  void grid() {
    std::vector<int> const row = plan::dense_run_of(m_).loops;
    for (cuda_mode const& g : s_.grid) {
      loop const& x = loop_at(g.loop);
      n_.modes.push_back({static_cast<unsigned>(g.extent), g.step * x.src * n_.element, g.step * x.dst * n_.element,
                          limit_of(g.loop), std::find(row.begin(), row.end(), g.loop) != row.end()});
      n_.tiles *= g.extent;
    }
  }

  tile_numbers::side side_of(tile_side const& from, bool is_target) {
    tile_numbers::side out;
    out.is_target = is_target;
    out.shifted = from.shifted;
    out.vector = from.vector;
    out.at_once = from.at_once;
    auto const stride = [&](int l) { return std::abs(is_target ? loop_at(l).dst : loop_at(l).src) * n_.element; };
    auto const mode_of = [&](cuda_mode const& m) {
      return tile_numbers::mode{static_cast<int>(m.extent), stride(m.loop), place(m.loop),
                                is_target && is_flipped(m.loop), limit_of(m.loop)};
    };
    for (cuda_mode const& m : from.run) {
      add_run_mode(out, mode_of(m));
      if (limit_of(m.loop) >= 0) {  // the last mode: what a tile cuts ends the row
        out.run_limit = limit_of(m.loop);
        out.run_inner = out.run_length;
      }
      out.run_length *= static_cast<int>(m.extent);
    }
    out.run_step = from.run.empty() ? n_.element : static_cast<int>(stride(from.run.front().loop));
    if (from.run.empty()) out.run_modes.push_back({});
    for (cuda_mode const& m : from.rows) {
      out.row_modes.push_back(mode_of(m));
      if (from.packed > 1 && out.row_modes.size() == 1) pack(out, from.packed);
      out.rows *= out.row_modes.back().extent;
      row_span_ += (m.extent - 1) * stride(m.loop);
    }
    int const bytes = out.run_length * n_.element;
    // Of a shifted row of the destination the ends that are parts of accesses are written element by element.
    int const access = out.vector * n_.element;
    out.accesses = !out.shifted ? out.run_length / out.vector
                   : is_target  ? bytes / access
                                : (bytes + access - 1) / access;
    out.lanes = from.lanes == 0 ? out.accesses : from.lanes;
    out.accesses = (out.accesses + out.lanes - 1) / out.lanes * out.lanes;
    out.row_lanes = from.row_lanes;
    if (s_.stages > 0) {
      out.counted = is_target;
      return out;
    }
    if (is_target) find_pattern(out, from.shifted ? from.begins : from.vector);
    choose_places(out);
    return out;
  }

  /// Rows of the source begin anywhere in a granule, those of the destination, where they are shifted, anywhere in an access.
  void stages() {
    tile_numbers::side &from = n_.read, &to = n_.write;
    from.accesses = ((from.run_length - 1) * from.run_step + n_.element + 2 * (granule_bytes - 1)) / granule_bytes;
    if (to.shifted) to.accesses = (to.run_length + 2 * (to.vector - 1)) / to.vector;
    for (tile_numbers::side* const side : {&from, &to}) side->lanes = side->accesses;
    n_.max_reads = static_cast<int>(math::ceil_div(from.rows * from.accesses, n_.threads));
    // The first lane of a warp only serves the second where rows are shifted.
    int const writers = to.shifted ? n_.threads / plan::lanes * (plan::lanes - 1) : n_.threads;
    n_.max_writes = static_cast<int>(math::ceil_div(to.rows * to.accesses, writers));
    n_.stages = s_.stages;
    n_.stage_bytes = aligned(end() + 2 * (granule_bytes - 1));
    n_.shared_bytes = n_.stages * n_.stage_bytes;
  }
  int64_t end() const { return end_of_places(plan_.tile, s_.place, n_.element); }

  /// Rows along the first mode are read `packed` at a time. Those that do not exist are left out while they are read.
  static void pack(tile_numbers::side& side, int packed) {
    tile_numbers::mode& m = side.row_modes.back();
    side.packed = packed;
    side.packed_extent = m.extent;
    side.packed_limit = m.limit;
    side.packed_step = m.step;
    m = {(m.extent + packed - 1) / packed, m.step * packed, m.place * packed, false, -1};
  }

  /// A mode that continues the one before it in shared memory too is the same mode.
  static void add_run_mode(tile_numbers::side& side, tile_numbers::mode const& m) {
    if (!side.run_modes.empty()) {
      tile_numbers::mode& last = side.run_modes.back();
      if (m.place == last.place * last.extent && m.flipped == last.flipped) {
        last.extent *= m.extent;
        last.limit = m.limit;
        return;
      }
    }
    side.run_modes.push_back(m);
  }

  void find_pattern(tile_numbers::side& side, int begins) const {
    std::vector<placed_mode> modes;
    for (tile_numbers::mode const& m : side.run_modes) modes.push_back({m.extent, m.place, m.flipped});
    std::vector<placed_mode> rows;
    int alignment = table_alignment;
    for (tile_numbers::limit const& l : n_.limits) alignment = std::gcd(alignment, l.place);
    side.joined_alignment = alignment;
    for (tile_numbers::mode const& m : side.row_modes) {
      rows.push_back({m.extent, m.place, m.flipped});
      side.joined_alignment = std::gcd(side.joined_alignment, m.place);
    }
    piece_pattern pieces = pattern_of_accesses(modes, side.vector, n_.element, begins, rows, alignment);
    side.pattern = std::move(pieces.pattern);
    side.pattern_pieces = pieces.modes > 0;
    side.patterned = side.vector > 1 && side.pattern.exists && !side.pattern_pieces;
    if (!side.pattern_pieces) return;
    side.piece_modes = pieces.modes;
    side.piece_first = pieces.first;
    side.place_step = pieces.elements;
  }

  /// How the places along a row are found: none is looked up in a row of one mode, whose elements are equally far apart. An
  /// access within the first mode needs one place, others one for each element: counted in few modes, else looked up.
  void choose_places(tile_numbers::side& side) const {
    std::size_t const modes = side.run_modes.size();
    int const of_piece = side.place_step;  // where an access has a pattern in pieces
    side.place_step = side.vector;
    side.period = side.run_length;
    side.joined = side.is_target && modes == 1 && side.run_modes[0].place == n_.element && !side.run_modes[0].flipped;
    side.patterned = side.patterned && !side.joined;
    side.pieced = side.is_target && !side.joined && !side.patterned && is_pieced(side);
    side.pattern_pieces = side.pattern_pieces && !side.joined && !side.pieced;
    if (modes == 1 && !side.pieced) return;
    bool const is_even = !side.is_target || side.patterned || side.pattern_pieces || side.vector == 1;
    // For a few elements counting on takes no longer (measured on an H200).
    side.strided = !is_even && !side.pieced && side.vector > 1 && side.vector * n_.element == widest_bytes &&
                   side.run_modes[0].extent >= side.vector;
    bool const by_pieces = side.pieced || side.strided || side.pattern_pieces;
    side.place_step = side.pattern_pieces ? of_piece : by_pieces ? side.run_modes[0].extent : is_even ? side.vector : 1;
    tile_numbers::mode const& last = side.run_modes.back();
    int const inner = side.run_length / last.extent;
    bool const is_long = side.run_length / side.place_step * 2 > max_place_table_bytes;
    if (is_long && inner % side.place_step == 0) {
      side.period = inner;
      side.period_place = last.flipped ? -last.place : last.place;
    }
    side.table_length = side.period / side.place_step;
    if (side.period < side.run_length && side.place_step == 1) side.table_length += side.vector;
    // A table that is used once takes longer to fill than its entries to work out, unless these are of many modes.
    std::size_t const few = is_even ? max_modes_of_accesses : max_modes_of_elements;
    bool const is_used_once = side.rows == 1 && side.period == side.run_length && !by_pieces && modes <= few;
    bool const may_count = side.is_target && (by_pieces || side.patterned || !is_even) && side.vector > 1;
    std::size_t const counted_modes = side.pattern_pieces ? modes - static_cast<std::size_t>(side.piece_modes) : modes;
    side.counted =
        is_used_once ||
        (may_count && (side.table_length * 2 > 2 * max_place_table_bytes || counted_modes <= max_counted_modes));
    side.tabled_places = !side.counted;
    if (side.counted) side.table_length = 0;
    if (!side.is_target || !side.tabled_places || side.place_step != 1) return;
    side.halved_table = side.looks_up_vectors() && side.vector == 16;
    if (!side.looks_up_vectors() && side.vector >= 8) side.table_gap = word_bytes / 2;
  }

  /// Can an access of small elements be read by words? Its elements follow each other, forwards or backwards, or are one.
  bool is_pieced(tile_numbers::side const& side) const {
    tile_numbers::mode const& first = side.run_modes.front();
    return n_.element < word_bytes && side.vector * n_.element >= word_bytes && first.extent >= side.vector &&
           (first.place == n_.element || first.place == 0);
  }

  void sides() {
    row_span_ = 0;
    n_.read = side_of(s_.source, false);
    int64_t const of_source = row_span_;
    row_span_ = 0;
    n_.write = side_of(s_.target, true);
    n_.wide = std::max(of_source, row_span_) >= int64_t{1} << 31;
  }

  void tables() {
    // The last access of a shifted row may go beyond it, on either side.
    n_.shared_bytes = aligned(end() + table_alignment + word_bytes);
    for (tile_numbers::side* const side : {&n_.read, &n_.write}) {
      int const row_bytes = side->rows * (n_.wide ? 16 : 8);
      side->tabled_rows = side->row_modes.size() > 1 && row_bytes <= max_row_table_bytes;
      side->rows_at = n_.shared_bytes;
      if (side->tabled_rows) n_.shared_bytes = aligned(n_.shared_bytes + row_bytes);
      side->places_at = n_.shared_bytes;
      int const gaps = side->table_length / side->vector * side->table_gap;
      if (side->tabled_places) n_.shared_bytes = aligned(n_.shared_bytes + (side->table_length + gaps) * 2);
    }
    // A piece is read from up to an access before it begins to as much after its end, where an access has parts of two.
    n_.lead = n_.write.pieced ? widest_bytes : 0;
    if (n_.write.pattern_pieces)
      n_.lead = aligned(std::abs(n_.write.pattern.step) * n_.write.vector / n_.write.pattern.inside + widest_bytes);
    n_.shared_bytes += 2 * n_.lead;
  }

  copy_plan const& plan_;
  movement const& m_;
  cuda_schedule const& s_;
  tile_numbers n_;
  std::vector<int> limit_of_;
  int64_t row_span_ = 0;
};

// --- as text -----------------------------------------------------------------------------------------------------------

void pattern_text(std::string& out, tile_numbers::side const& s) {
  access_pattern const& p = s.pattern;
  line(out,
       "  static constexpr bool patterned = {}, pattern_pieces = {}, pattern_is_aligned = {}, pattern_slides = {};",
       s.patterned, s.pattern_pieces, p.is_aligned, p.slides);
  line(out, "  static constexpr int pattern_unit = {}, pattern_units = {}, pattern_inside = {}, pattern_step = {};",
       p.unit, p.units.size(), p.inside, p.step);
  line(out, "  static constexpr int piece_modes = {}, piece_first = {};", s.piece_modes, s.piece_first);
  auto const number = [](int n) { return fmt::format("{}", n); };
  list_text(out, "pattern_offset", "int", p.offsets, number);
  list_text(out, "pattern_begin", "int", p.units, number);
  list_text(out, "pattern_word", "int", p.word, number);
  list_text(out, "pattern_byte", "int", p.byte, number);
}

void side_text(std::string& out, char const* name, tile_numbers::side const& s) {
  line(out, "  struct {} {{", name);
  line(out,
       "  static constexpr bool is_target = {}, shifted = {}, tabled_rows = {}, tabled_places = {}, counted = {}, "
       "joined = {}, pieced = {}, strided = {}, halved_table = {};",
       s.is_target, s.shifted, s.tabled_rows, s.tabled_places, s.counted, s.joined, s.pieced, s.strided,
       s.halved_table);
  line(out,
       "  static constexpr int vector = {}, place_step = {}, rows = {}, accesses = {}, lanes = {}, row_lanes = {};",
       s.vector, s.place_step, s.rows, s.accesses, s.lanes, s.row_lanes);
  line(out, "  static constexpr int at_once = {}, run_length = {}, run_step = {}, run_limit = {}, run_inner = {};",
       s.at_once, s.run_length, s.run_step, s.run_limit, s.run_inner);
  line(out, "  static constexpr int joined_alignment = {};", s.joined_alignment);
  line(out, "  static constexpr int packed = {}, packed_extent = {}, packed_limit = {};", s.packed, s.packed_extent,
       s.packed_limit);
  line(out, "  static constexpr long long packed_step = {}LL;", s.packed_step);
  line(out, "  static constexpr int period = {}, period_place = {}, table_length = {}, table_gap = {};", s.period,
       s.period_place, s.table_length, s.table_gap);
  line(out, "  static constexpr int rows_at = {}, places_at = {}, run_modes = {}, row_modes = {};", s.rows_at,
       s.places_at, s.run_modes.size(), s.row_modes.size());
  pattern_text(out, s);
  auto const row = [](tile_numbers::mode const& m) {
    return fmt::format("{{{}, {}LL, {}, {}, {}}}", m.extent, m.step, m.place, m.flipped, m.limit);
  };
  list_text(out, "run_mode", "tile_mode", s.run_modes, row);
  list_text(out, "row_mode", "tile_mode", s.row_modes, row);
  line(out, "  }};");
}

}  // namespace

tile_numbers numbers_of(copy_plan const& plan) { return builder(plan).run(); }

std::string shape_text(tile_numbers const& n) {
  std::string out;
  line(out, "struct tile_mode {{ int extent; long long step; int place; bool flipped; int limit; }};");
  line(out, "struct grid_mode {{ unsigned extent; long long src, dst; int limit; bool cuts_row; }};");
  line(out, "struct tile_limit {{ int tile, last; long long src_step; int place; }};");
  line(out, "struct shape {{");
  line(out, "  using offset = {};", n.wide ? "unsigned long long" : "unsigned");
  line(out, "  static constexpr int element = {}, threads = {}, store_bytes = {}, modes = {}, limits = {};", n.element,
       n.threads, n.store_bytes, n.modes.size(), n.limits.size());
  line(out, "  static constexpr int max_modes = {}, lead = {}, fetch = {}, sector = {}, memory_line = {};",
       n.write.run_modes.size(), n.lead, static_cast<int>(n.fetch), gpu.sector.count, gpu.line.count);
  line(out, "  static constexpr unsigned tiles = {}u;", n.tiles);
  line(out, "  static constexpr int stages = {}, stage_bytes = {}, max_reads = {}, max_writes = {};", n.stages,
       n.stage_bytes, n.max_reads, n.max_writes);
  line(out, "  static constexpr bool evict_source_last = {}, has_tables = {};", n.evict_source_last,
       n.read.tabled_rows || n.read.tabled_places || n.write.tabled_rows || n.write.tabled_places);
  line(out, "  static constexpr long long src_begin = {}LL, dst_begin = {}LL, src_low = {}LL, src_high = {}LL;",
       n.src_begin, n.dst_begin, n.src_low, n.src_high);
  line(out, "  static constexpr long long src_span = {}LL;", n.src_span);
  list_text(out, "mode", "grid_mode", n.modes, [](tile_numbers::grid_mode const& g) {
    return fmt::format("{{{}u, {}LL, {}LL, {}, {}}}", g.extent, g.src, g.dst, g.limit, g.cuts_row);
  });
  list_text(out, "limit", "tile_limit", n.limits, [](tile_numbers::limit const& l) {
    return fmt::format("{{{}, {}, {}LL, {}}}", l.tile, l.last, l.src_step, l.place);
  });
  side_text(out, "read", n.read);
  side_text(out, "write", n.write);
  line(out, "}};");
  return out;
}

}  // namespace tilewright::kernels
