// The kernel whose body is engine/kernels/cuda/realigned/body.hpp: the numbers that the class is made from, and where a block's tile
// begins.
#include "engine/cuda/kernel_text.hpp"
#include "tilewright/plan/movement.hpp"

#include <cstdint>

namespace tilewright::gpu {
namespace {

loop const& loop_of(copy_plan const& plan, int l) { return plan.moves.loops[static_cast<std::size_t>(l)]; }

/// Takes the block's index apart: a loop that has a name adds to the variable of that name, any other to `from` and `to`.
template <class Name>
void write_begin(std::string& text, copy_plan const& plan, Name const& name_of_loop) {
  auto const& s = std::get<cuda_schedule>(plan.schedule);
  line(text, "  extern __shared__ __align__(16) unsigned char shared[];");
  line(text, "  unsigned block = blockIdx.x;");
  line(text, "  long long from = {}LL, to = {}LL;", plan.moves.src_offset, plan.moves.dst_offset);
  for (std::size_t g = 0; g < s.grid.size(); ++g) {
    cuda_mode const& mode = s.grid[g];
    bool const last = g + 1 == s.grid.size();
    std::string const index =
        fmt::format("static_cast<long long>({})", last ? "block" : fmt::format("block % {}u", mode.extent));
    if (char const* const name = name_of_loop(mode.loop)) {
      line(text, "  {} = {} * {};", name, index, mode.step);
    } else {
      line(text, "  from += {} * {}LL;", index, loop_of(plan, mode.loop).src * mode.step);
      line(text, "  to += {} * {}LL;", index, loop_of(plan, mode.loop).dst * mode.step);
    }
    if (!last) line(text, "  block /= {}u;", mode.extent);
  }
}

}  // namespace

void write_realigned_shape(std::string& text, copy_plan const& plan) {
  auto const& s = std::get<cuda_schedule>(plan.schedule);
  int const i = s.write.loop, j = s.read.loop;
  line(text, "struct shape {{");
  line(text, "  static constexpr int element = {}, threads = {}, tile_i = {}, tile_j = {}, sector = {}, pitch = {};",
       plan.moves.element_bits / 8, s.threads, plan.tile[static_cast<std::size_t>(i)],
       plan.tile[static_cast<std::size_t>(j)], s.image.sector, s.image.pitch);
  line(text, "  static constexpr int read_at_once = {};", s.read.at_once);
  line(text, "  static constexpr bool evict_source_last = {};", s.evict_source_last);
  line(text, "  static constexpr long long extent_i = {}LL, extent_j = {}LL, src_i = {}LL, dst_j = {}LL;",
       loop_of(plan, i).extent, loop_of(plan, j).extent, loop_of(plan, i).src, loop_of(plan, j).dst);
  line(text, "}};");
}

void write_realigned(std::string& text, copy_plan const& plan) {
  auto const& s = std::get<cuda_schedule>(plan.schedule);
  int const bytes = plan.moves.element_bits / 8, i = s.write.loop, j = s.read.loop;
  line(text, "  long long i0 = 0, j0 = 0;");
  write_begin(text, plan, [&](int l) { return l == i ? "i0" : l == j ? "j0" : nullptr; });
  offset_range const range = source_range(plan.moves);
  line(text, "  auto const* const source = static_cast<unsigned char const*>(src);");
  line(text, "  tilewright::kernels::bare_block threads;");
  line(text,
       "  tilewright::kernels::realigned_tile<shape>(source + from * {0}, static_cast<unsigned char*>(dst) + to * {0}, "
       "i0, j0, "
       "source + {1}LL, source + {2}LL, shared, threads.thread()).copy(threads);",
       bytes, range.first * bytes, (range.last + 1) * bytes);
}

}  // namespace tilewright::gpu
