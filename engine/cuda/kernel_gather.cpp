// The kernel for what no tile serves: swizzles and strides without runs, layouts without common loops, half bytes.
#include "engine/cuda/kernel_text.hpp"

#include <cstdint>

namespace tilewright::gpu {
namespace {

using std::int64_t;

/// Opens a block in which x is the next coordinate of `rest`.
void take_apart(std::string& text, std::string const& type, int64_t extent, bool last) {
  line(text, "      {{");
  if (last) {
    line(text, "        {} const x = rest;", type);
  } else {
    char const* const suffix = type == "unsigned" ? "u" : "ull";
    line(text, "        {} const x = rest % {}{};", type, extent, suffix);
    line(text, "        rest /= {}{};", extent, suffix);
  }
}

/// From an item's number to its first element on each side.
void write_offsets(std::string& text, movement const& m, int vector, std::string const& type) {
  int const loops = static_cast<int>(m.loops.size());
  if (m.has_loops()) {
    for (int l = 0; l < loops; ++l) {
      int64_t const step = l == 0 ? vector : 1;
      take_apart(text, type, m.loops[static_cast<std::size_t>(l)].extent / step, l + 1 == loops);
      line(text, "        source[u] += static_cast<long long>(x) * {}LL;",
           m.loops[static_cast<std::size_t>(l)].src * step);
      line(text, "        target[u] += static_cast<long long>(x) * {}LL;",
           m.loops[static_cast<std::size_t>(l)].dst * step);
      line(text, "      }}");
    }
  } else {
    line(text, "      {} const whole = rest;", type);
    for (bool const is_source : {true, false}) {
      if (!is_source) line(text, "      rest = whole;");
      auto const& steps = is_source ? m.src_steps : m.dst_steps;
      for (std::size_t i = 0; i < steps.size(); ++i) {
        take_apart(text, type, steps[i].extent, i + 1 == steps.size());
        line(text, "        {}[u] += static_cast<long long>(x) * {}LL;", is_source ? "source" : "target",
             steps[i].stride);
        line(text, "      }}");
      }
    }
  }
}

void write_loads(std::string& text, movement const& m, int vector) {
  line(text, "#pragma unroll");
  line(text, "      for (int j = 0; j < {}; ++j) {{", vector);
  int64_t const along = m.has_loops() && !m.loops.empty() ? m.loops[0].src : 0;
  std::string from = fmt::format("source[u] + j * {}LL", along);
  if (m.src_swizzle.bits != 0) from = fmt::format("swizzle_src({})", from);
  if (m.element_bits < 8) line(text, "        held[u][j] = load_nibble(src, {});", from);
  else
    line(text, "        held[u][j] = load_bundle<{0}>(static_cast<char const*>(src) + ({1}) * {0});",
         m.element_bits / 8, from);
  line(text, "      }}");
}

void write_stores(std::string& text, movement const& m, cuda_schedule const& s, int64_t items) {
  int const bytes = m.element_bits / 8, vector = s.write.vector;
  line(text, "#pragma unroll");
  line(text, "    for (int u = 0; u < {}; ++u) {{", s.write.at_once);
  line(text, "      if (begin + u * {} + thread >= {}LL) continue;", s.threads, items);
  std::string const to = m.dst_swizzle.bits != 0 ? "swizzle_dst(target[u])" : "target[u]";
  if (m.element_bits >= 8)
    line(text, "      store_bundle<{0}>(static_cast<char*>(dst) + {1} * {2}, join<{2}, {3}>(held[u]));", bytes * vector,
         to, bytes, vector);
  else if (vector == 1) line(text, "      store_nibble(dst, {}, held[u][0]);", to);
  else
    line(text, "      store_bundle<{0}>(static_cast<char*>(dst) + ({1} >> 1), join_nibbles(held[u]));", vector / 2, to);
  line(text, "    }}");
}

}  // namespace

/// Items are vectors of the destination; item i is taken apart by the loops, or by each side's own steps.
void write_gather(std::string& text, copy_plan const& plan) {
  movement const& m = plan.moves;
  auto const& s = std::get<cuda_schedule>(plan.schedule);
  int const bytes = m.element_bits / 8, vector = s.write.vector, at_once = s.write.at_once;
  int64_t const items = m.elements / vector;
  std::string const type = m.elements < (int64_t(1) << 31) ? "unsigned" : "unsigned long long";
  int64_t const each = int64_t{s.threads} * at_once;
  line(text,
       "  for (long long begin = static_cast<long long>(blockIdx.x) * {0}; begin < {1}LL; begin += {0}LL * "
       "gridDim.x) {{",
       each, items);
  line(text, "    long long source[{0}], target[{0}];", at_once);
  line(text, "    {} held[{}][{}];", m.element_bits < 8 ? "unsigned" : fmt::format("bundle<{}>", bytes), at_once,
       vector);
  line(text, "#pragma unroll");
  line(text, "    for (int u = 0; u < {}; ++u) {{", at_once);
  line(text, "      long long const item = begin + u * {} + thread;", s.threads);
  line(text, "      {} rest = static_cast<{}>(item < {}LL ? item : 0);", type, type, items);
  line(text, "      source[u] = {}LL;", m.src_offset);
  line(text, "      target[u] = {}LL;", m.dst_offset);
  write_offsets(text, m, vector, type);
  write_loads(text, m, vector);
  line(text, "    }}");
  write_stores(text, m, s, items);
  line(text, "  }}");
}

}  // namespace tilewright::gpu
