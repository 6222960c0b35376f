// The hash of a plan, field by field. Structures are taken apart by structured bindings, so that a field that is added
// does not compile until it is hashed.
#include "tilewright/plan/copy_plan.hpp"

#include <bit>

namespace tilewright {
namespace {

class hasher {
 public:
  std::size_t result() const { return static_cast<std::size_t>(state_); }

  /// SplitMix64's finaliser over the state and the number: its constants are odd, so that no bit is lost.
  void add(std::int64_t x) {
    state_ += static_cast<std::uint64_t>(x) + 0x9E3779B97F4A7C15u;
    state_ = (state_ ^ (state_ >> 30)) * 0xBF58476D1CE4E5B9u;
    state_ = (state_ ^ (state_ >> 27)) * 0x94D049BB133111EBu;
    state_ ^= state_ >> 31;
  }
  template <class T>
  requires std::is_enum_v<T>
  void add(T x) { add(static_cast<std::int64_t>(x)); }
  void add(int x) { add(std::int64_t{x}); }
  void add(bool x) { add(std::int64_t{x}); }
  void add(double x) { add(std::bit_cast<std::int64_t>(x == 0 ? 0.0 : x)); }  // -0.0 equals 0.0
  void add(std::string const& text) {
    add(static_cast<std::int64_t>(text.size()));
    for (char const ch : text) add(static_cast<std::int64_t>(ch));
  }
  template <class T>
  void add(std::vector<T> const& list) {
    add(static_cast<std::int64_t>(list.size()));
    for (T const& x : list) add(x);
  }
  void add(std::monostate) { add(0); }
  template <class... T>
  void add(std::variant<T...> const& one) {
    add(static_cast<std::int64_t>(one.index()));
    std::visit([&](auto const& held) { add(held); }, one);
  }

  void add(swizzle_value const& s) {
    auto const& [bits, base, shift] = s;
    add_all(bits, base, shift);
  }
  void add(loop const& l) {
    auto const& [extent, src, dst] = l;
    add_all(extent, src, dst);
  }
  void add(step const& s) {
    auto const& [extent, stride] = s;
    add_all(extent, stride);
  }
  void add(movement const& m) {
    auto const& [element_bits, elements, src_offset, dst_offset, src_swizzle, dst_swizzle, loops, src_steps,
                 dst_steps] = m;
    add_all(element_bits, elements, src_offset, dst_offset, src_swizzle, dst_swizzle, loops, src_steps, dst_steps);
  }
  void add(machine_model const& m) {
    auto const& [name, kind, processors, widest, line, near, block, far, rate, start, capability, tuning] = m;
    add_all(name, kind, processors, widest, line, near, block, far, rate, start, capability, tuning);
  }
  void add(cpu_tile_shape const& s) {
    auto const& [row_bytes, column_bytes, tile_bytes] = s;
    add_all(row_bytes, column_bytes, tile_bytes);
  }
  void add(cpu_tuning const& t) {
    auto const& [short_units, lone_units, long_units, joined_units, whole_lines, ragged_lines, long_column, page_column,
                 short_row, channel_tile, tile_source, tile_destination, tile_min, tile_max, few_spans, few_source,
                 few_destination, few_max, few_ragged, ragged_source, ragged_destination, ragged_max, carried_source,
                 carried_destination, carried_max, carried_run, carried_row, carried_row_destination, carried_row_max,
                 carried_far, whole_max, many_times, repeated_source, repeated_destination, repeated_max, repeated_unit,
                 streams, ordered_source, ordered_destination, crowded, table_vectors, pass, imaged_run, imaged_min,
                 piece, few_sets, few_sets_columns, short_unit, lone_unit, long_unit, imaged_unit, block_unit, long_row,
                 long_source, page, backward, stream, stream_blocks, streamed_run, trial, thread, report, walk, strip,
                 strip_rows, gathered, near_columns, prefetch, short_near, fetched_ahead, called_unit, streamed_copy,
                 interleave_piece] = t;
    add_all(short_units, lone_units, long_units, joined_units, whole_lines, ragged_lines, long_column, page_column,
            short_row, channel_tile, tile_source, tile_destination, tile_min, tile_max, few_spans, few_source,
            few_destination, few_max, few_ragged, ragged_source, ragged_destination, ragged_max, carried_source,
            carried_destination, carried_max, carried_run, carried_row, carried_row_destination, carried_row_max,
            carried_far, whole_max, many_times, repeated_source, repeated_destination, repeated_max, repeated_unit,
            streams, ordered_source, ordered_destination, crowded, table_vectors, pass, imaged_run, imaged_min, piece,
            few_sets, few_sets_columns, short_unit, lone_unit, long_unit, imaged_unit, block_unit, long_row,
            long_source, page, backward, stream, stream_blocks, streamed_run, trial, thread, report, walk, strip,
            strip_rows, gathered, near_columns, prefetch, short_near, fetched_ahead, called_unit, streamed_copy,
            interleave_piece);
  }
  void add(cpu_schedule const& s) {
    auto const& [kernel, threads, unit_bytes, row_loops, column_loops, buffered, long_runs, whole_lines, streaming,
                 gather_loops, carries] = s;
    add_all(kernel, threads, unit_bytes, row_loops, column_loops, buffered, long_runs, whole_lines, streaming,
            gather_loops, carries);
  }
  void add(cuda_mode const& m) {
    auto const& [loop, step, extent] = m;
    add_all(loop, step, extent);
  }
  void add(cuda_access const& a) {
    auto const& [threads, values, loop, vector, at_once] = a;
    add_all(threads, values, loop, vector, at_once);
  }
  void add(shared_mode const& m) {
    auto const& [split, inner, outer] = m;
    add_all(split, inner, outer);
  }
  void add(shared_image const& i) {
    auto const& [sector, pitch] = i;
    add_all(sector, pitch);
  }
  void add(tile_side const& t) {
    auto const& [run, rows, vector, shifted, begins, lanes, row_lanes, at_once, packed] = t;
    add_all(run, rows, vector, shifted, begins, lanes, row_lanes, at_once, packed);
  }
  void add(cuda_schedule const& s) {
    auto const& [kernel, threads, blocks_per_processor, blocks, grid, read, write, packed, shared, image, shared_bytes,
                 source, target, place, store_bytes, evict_source_last, fetch, stages] = s;
    add_all(kernel, threads, blocks_per_processor, blocks, grid, read, write, packed, shared, image, shared_bytes,
            source, target, place, store_bytes, evict_source_last, fetch, stages);
  }
  void add(copy_plan const& p) {
    auto const& [moves, path, tile, order, schedule, machine, bytes, seconds, reasons] = p;
    add_all(moves, path, tile, order, schedule, machine, bytes, seconds, reasons);
  }

 private:
  template <class... T>
  void add_all(T const&... parts) {
    (add(parts), ...);
  }

  std::uint64_t state_ = 0;
};

}  // namespace

std::size_t hash_of(copy_plan const& plan) {
  hasher h;
  h.add(plan);
  return h.result();
}

}  // namespace tilewright
