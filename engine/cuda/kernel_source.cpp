// Writes the kernel of a schedule. A kernel is short: the tile's origin from the block's index, the thread's part of
// every coordinate from the thread's index, then unrolled loops over the thread's values, whose offsets are constants.
// Offsets within a tile have 32 bits where its span allows, offsets of tiles have 64.
#include "engine/cuda/kernel_source.hpp"

#include "engine/cuda/kernel_text.hpp"
#include "engine/kernels/cuda/tile/numbers.hpp"
#include "engine/plan/cuda_modes.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace tilewright::gpu {
namespace {

using plan::size_of;
using std::int64_t;

/// The largest coordinate of a loop that the modes reach.
int64_t reach_of(std::vector<cuda_mode> const& modes, int loop) {
  int64_t n = 0;
  for (cuda_mode const& m : modes) n += m.loop == loop ? (m.extent - 1) * m.step : 0;
  return n;
}

class writer {
 public:
  explicit writer(copy_plan const& plan)
      : plan_(plan),
        moves_(plan.moves),
        schedule_(std::get<cuda_schedule>(plan.schedule)),
        bytes_(moves_.element_bits / 8) {}

  kernel_spec run() {
    kernel_spec spec;
    spec.name = "tilewright_copy";
    if (schedule_.kernel == cuda_kernel::tile) return tile_kernel(spec);
    spec.grid[0] = static_cast<unsigned>(schedule_.blocks);
    spec.block = static_cast<unsigned>(schedule_.threads);
    spec.shared_bytes = static_cast<unsigned>(schedule_.shared_bytes);
    head();
    switch (schedule_.kernel) {
      case cuda_kernel::staged: staged(); break;
      case cuda_kernel::runs: runs(); break;
      case cuda_kernel::gather: write_gather(text_, plan_); break;
      case cuda_kernel::realigned: write_realigned(text_, plan_); break;
      case cuda_kernel::tile: break;
    }
    text_ += "}\n";
    spec.source = text_;
    return spec;
  }

 private:
  /// The kernel whose body is engine/kernels/cuda/tile/body.hpp: constants, and a call.
  kernel_spec tile_kernel(kernel_spec spec) const {
    kernels::tile_numbers const n = kernels::numbers_of(plan_);
    spec.grid[0] = static_cast<unsigned>(schedule_.blocks);
    spec.block = static_cast<unsigned>(schedule_.threads);
    spec.shared_bytes = static_cast<unsigned>(n.shared_bytes);
    bool const is_pipelined = schedule_.stages > 0;
    line(spec.source, "#include \"engine/kernels/cuda/tile/body{}.hpp\"", is_pipelined ? "_pipelined" : "");
    spec.source += kernels::shape_text(n);
    line(spec.source,
         "extern \"C\" __global__ void __launch_bounds__({}, {}) tilewright_copy(void const* src, void* dst) {{",
         schedule_.threads, schedule_.blocks_per_processor);
    line(spec.source, "  extern __shared__ __align__(16) unsigned char shared[];");
    line(spec.source, "  tilewright::kernels::bare_block block;");
    line(spec.source, "  tilewright::kernels::{}<shape>::run(block, shared, src, dst);",
         is_pipelined ? "pipelined_copy" : "tile_copy");
    line(spec.source, "}}");
    return spec;
  }

  loop const& at(int l) const { return moves_.loops[static_cast<std::size_t>(l)]; }
  int64_t tile(int l) const { return plan_.tile[static_cast<std::size_t>(l)]; }
  int loops() const { return static_cast<int>(moves_.loops.size()); }
  bool swizzled(bool source) const { return (source ? moves_.src_swizzle : moves_.dst_swizzle).bits != 0; }
  int64_t stride(bool source, int l) const { return source ? at(l).src : at(l).dst; }

  /// Offsets within a tile fit 32 bits, in bytes.
  char const* offset_type(bool source) const {
    int64_t span = 0;
    for (int l = 0; l < loops(); ++l) {
      int64_t const steps = tile(l) - 1, s = std::abs(stride(source, l));
      if (s > 0 && steps > (int64_t(1) << 31) / s) return "long long";
      span += 2 * steps * s * bytes_;
    }
    return span < (int64_t(1) << 31) ? "int" : "long long";
  }

  void head() {
    bool const realigned = schedule_.kernel == cuda_kernel::realigned;
    line(text_, "#include \"{}.hpp\"",
         realigned ? "engine/kernels/cuda/realigned/body" : "tilewright/exec/cuda/bundle");
    line(text_, "using namespace tilewright;");
    for (bool const source : {true, false}) {
      if (!swizzled(source)) continue;
      swizzle_value const w = source ? moves_.src_swizzle : moves_.dst_swizzle;
      line(text_, "__device__ inline long long swizzle_{}(long long x) {{ return x ^ ((x & {}LL) {} {}); }}",
           source ? "src" : "dst", w.high_mask(), w.shift < 0 ? "<<" : ">>", std::abs(w.shift));
    }
    if (realigned) write_realigned_shape(text_, plan_);
    line(text_, "extern \"C\" __global__ void __launch_bounds__({}, {}) tilewright_copy(void const* src, void* dst) {{",
         schedule_.threads, schedule_.blocks_per_processor);
    if (!realigned) line(text_, "  int const thread = static_cast<int>(threadIdx.x);");
  }

  /// The tile's origin o0, o1 …, where it begins on both sides, and how far it reaches: n0, n1 … .
  void origin() {
    line(text_, "  unsigned block = blockIdx.x;");
    std::vector<std::string> sum(moves_.loops.size());
    std::vector<int64_t> reach(moves_.loops.size(), 0);
    for (std::size_t i = 0; i < schedule_.grid.size(); ++i) {
      cuda_mode const& m = schedule_.grid[i];
      if (i + 1 < schedule_.grid.size()) {
        line(text_, "  unsigned const b{} = block % {}u;", i, m.extent);
        line(text_, "  block /= {}u;", m.extent);
      } else {
        line(text_, "  unsigned const b{} = block;", i);
      }
      auto& text = sum[static_cast<std::size_t>(m.loop)];
      text += fmt::format("{}b{} * {}LL", text.empty() ? "" : " + ", i, m.step);
      reach[static_cast<std::size_t>(m.loop)] += (m.extent - 1) * m.step;
    }
    std::string from = fmt::format("{}LL", moves_.src_offset), to = fmt::format("{}LL", moves_.dst_offset);
    for (int l = 0; l < loops(); ++l) {
      auto const& text = sum[static_cast<std::size_t>(l)];
      if (text.empty()) continue;
      line(text_, "  long long const o{} = {};", l, text);
      if (reach[static_cast<std::size_t>(l)] >= at(l).extent)
        line(text_, "  if (o{} >= {}LL) return;", l, at(l).extent);
      from += fmt::format(" + o{} * {}LL", l, at(l).src);
      to += fmt::format(" + o{} * {}LL", l, at(l).dst);
    }
    begin("from", true, from);
    begin("to", false, to);
    for (int l = 0; l < loops(); ++l) {
      if (is_ragged(l))
        line(text_, "  int const n{0} = {1}LL - o{0} < {2} ? static_cast<int>({1}LL - o{0}) : {2};", l, at(l).extent,
             tile(l));
      else line(text_, "  [[maybe_unused]] constexpr int n{} = {};", l, tile(l));
    }
  }
  bool is_ragged(int l) const { return at(l).extent % tile(l) != 0; }

  void begin(char const* name, bool source, std::string const& offset) {
    if (swizzled(source)) line(text_, "  long long const {} = {};", name, offset);
    else if (source)
      line(text_, "  char const* const {} = static_cast<char const*>(src) + ({}) * {};", name, offset, bytes_);
    else line(text_, "  char* const {} = static_cast<char*>(dst) + ({}) * {};", name, offset, bytes_);
  }

  /// The address of an offset, in elements, from the tile's begin.
  std::string address(bool source, std::string const& offset) const {
    if (swizzled(source))
      return source ? fmt::format("static_cast<char const*>(src) + swizzle_src(from + ({})) * {}", offset, bytes_)
                    : fmt::format("static_cast<char*>(dst) + swizzle_dst(to + ({})) * {}", offset, bytes_);
    return fmt::format("{} + ({}) * {}", source ? "from" : "to", offset, bytes_);
  }

  /// The thread's share of each mode: `prefix`0, `prefix`1 … . False threads carry nothing.
  void thread_modes(cuda_access const& access, std::string const& prefix) {
    line(text_, "    unsigned left = static_cast<unsigned>(thread);");
    for (std::size_t i = 0; i < access.threads.size(); ++i) {
      bool const last = i + 1 == access.threads.size();
      if (last) line(text_, "    int const {}{} = static_cast<int>(left);", prefix, i);
      else {
        line(text_, "    int const {}{} = static_cast<int>(left % {}u);", prefix, i, access.threads[i].extent);
        line(text_, "    left /= {}u;", access.threads[i].extent);
      }
    }
  }

  /// Σ over the modes of index · weight(mode), as text; `names` gives each index.
  template <class Weight, class Name>
  static std::string sum(std::vector<cuda_mode> const& modes, Name const& name, Weight const& weight,
                         char const* suffix) {
    std::string out;
    for (std::size_t i = 0; i < modes.size(); ++i) {
      int64_t const w = weight(modes[i]);
      if (modes[i].extent > 1 && w != 0)
        out += fmt::format("{}{} * {}{}", out.empty() ? "" : " + ", name(i), w, suffix);
    }
    return out.empty() ? "0" : out;
  }
  static std::string value_name(std::vector<cuda_mode> const& modes, std::size_t i) {
    int64_t before = 1;
    for (std::size_t j = 0; j < i; ++j) before *= modes[j].extent;
    std::string const quotient = before == 1 ? "v" : fmt::format("v / {}", before);
    return i + 1 == modes.size() ? fmt::format("({})", quotient) : fmt::format("({} % {})", quotient, modes[i].extent);
  }

  /// What must hold for value v of this thread to exist; "" when it always does. Needs x0, x1 … of the thread.
  std::string guard(cuda_access const& access) {
    std::string out;
    for (int l = 0; l < loops(); ++l) {
      int64_t const most = reach_of(access.threads, l) + reach_of(access.values, l);
      if (!is_ragged(l) && most < tile(l)) continue;
      line(text_, "    int const x{} = {};", l,
           sum(
               access.threads, [](std::size_t i) { return fmt::format("p{}", i); },
               [&](cuda_mode const& m) { return m.loop == l ? m.step : 0; }, ""));
      out += fmt::format("{}x{} + {} < n{}", out.empty() ? "" : " && ", l,
                         sum(
                             access.values, [&](std::size_t i) { return value_name(access.values, i); },
                             [&](cuda_mode const& m) { return m.loop == l ? m.step : 0; }, ""),
                         l);
    }
    int64_t const active = size_of(access.threads);
    if (active < schedule_.threads) out = fmt::format("thread < {}{}{}", active, out.empty() ? "" : " && ", out);
    return out;
  }

  /// Opens a phase: thread modes p0 …, guard, and the thread's part of both sides' offsets.
  std::string open_phase(cuda_access const& access) {
    line(text_, "  {{");
    thread_modes(access, "p");
    return guard(access);
  }
  void thread_offset(cuda_access const& access, char const* name, char const* type, auto const& weight) {
    line(text_, "    {} const {} = {};", type, name,
         sum(
             access.threads, [&](std::size_t i) { return fmt::format("static_cast<{}>(p{})", type, i); }, weight, ""));
  }
  std::string value_offset(cuda_access const& access, char const* thread_part, char const* suffix,
                           auto const& weight) const {
    return fmt::format("{} + {}", thread_part,
                       sum(
                           access.values, [&](std::size_t i) { return value_name(access.values, i); }, weight, suffix));
  }
  auto global_weight(bool source) const {
    return [this, source](cuda_mode const& m) { return m.step * stride(source, m.loop); };
  }
  auto shared_weight() const {
    return [this](cuda_mode const& m) { return schedule_.shared[static_cast<std::size_t>(m.loop)](m.step); };
  }
  char const* suffix(bool source) const { return offset_type(source)[0] == 'l' ? "LL" : ""; }

  /// Values [first, first + count) of a thread, unrolled; `first` is a constant of the text's loop.
  void open_batches(int64_t values, int64_t at_once) {
    if (values > at_once) {
      line(text_, "#pragma unroll");
      line(text_, "    for (int first = 0; first < {}; first += {}) {{", values, at_once);
    } else {
      line(text_, "    {{");
      line(text_, "      constexpr int first = 0;");
    }
  }
  void open_values(int64_t values, int64_t at_once) {
    line(text_, "#pragma unroll");
    line(text_, "      for (int b = 0; b < {}; ++b) {{", std::min(values, at_once));
    line(text_, "        [[maybe_unused]] int const v = first + b;");
  }
  std::string with_tail(std::string const& condition, int64_t values, int64_t at_once) const {
    std::string out = condition;
    if (values > at_once && values % at_once != 0)
      out = fmt::format("v < {}{}{}", values, out.empty() ? "" : " && ", out);
    return out.empty() ? "" : fmt::format("if ({}) ", out);
  }
  /// The offset of a load, 0 where the value does not exist. A load that always happens keeps all of a thread's loads in
  /// flight together; one under a condition would be moved behind the store that it feeds.
  static std::string where_it_exists(std::string const& when, std::string const& offset) {
    return when.empty() ? offset : fmt::format("{} ? {} : 0", when.substr(3, when.size() - 4), offset);
  }

  std::string load_of(int64_t width) const {
    return fmt::format("load_source<{}, {}>", width, schedule_.evict_source_last);
  }

  void staged() {
    line(text_, "  extern __shared__ __align__(16) unsigned char tile[];");
    origin();
    read_tile();
    line(text_, "  __syncthreads();");
    write_tile();
  }

  void read_tile() {
    cuda_access const& a = schedule_.read;
    int64_t const values = size_of(a.values), width = a.vector * bytes_, at_once = std::min<int64_t>(values, a.at_once);
    std::string const condition = open_phase(a);
    thread_offset(a, "source", offset_type(true), global_weight(true));
    thread_offset(a, "shared", "int", shared_weight());
    std::string const when = with_tail(condition, values, at_once);
    std::string const offset = value_offset(a, "source", suffix(true), global_weight(true));
    open_batches(values, at_once);
    line(text_, "      bundle<{}> held[{}];", width, at_once);
    open_values(values, at_once);
    line(text_, "        held[b] = {}({});", load_of(width), address(true, where_it_exists(when, offset)));
    line(text_, "      }}");
    open_values(values, at_once);
    line(text_, "        {}store_bundle<{}>(tile + ({}) * {}, held[b]);", when, width,
         value_offset(a, "shared", "", shared_weight()), bytes_);
    line(text_, "      }}");
    line(text_, "    }}");
    line(text_, "  }}");
  }

  void write_tile() {
    cuda_access const& a = schedule_.write;
    int const packed = schedule_.packed;
    int64_t const values = size_of(a.values), width = a.vector * bytes_, word = bytes_ * packed;
    std::string const condition = open_phase(a);
    thread_offset(a, "target", offset_type(false), global_weight(false));
    thread_offset(a, "shared", "int", shared_weight());
    shared_mode const along = schedule_.shared[static_cast<std::size_t>(a.loop)];
    int64_t const at_once = std::min<int64_t>(values, a.at_once);
    std::string const when = with_tail(condition, values, at_once);
    open_batches(values, at_once);
    line(text_, "      bundle<{}> held[{}][{}];", word, at_once, a.vector);
    open_values(values, at_once);
    line(text_, "        int const at = {};", where_it_exists(when, value_offset(a, "shared", "", shared_weight())));
    line(text_, "#pragma unroll");
    line(text_, "        for (int j = 0; j < {}; ++j)", a.vector);
    line(text_, "          held[b][j] = load_bundle<{}>(tile + (at + j * {}) * {});", word, along(1), bytes_);
    line(text_, "      }}");
    open_values(values, at_once);
    line(text_, "        {} const at = {};", offset_type(false),
         value_offset(a, "target", suffix(false), global_weight(false)));
    if (packed == 1) {
      line(text_, "        {}store_bundle<{}>({}, join<{}, {}>(held[b]));", when, width, address(false, "at"), bytes_,
           a.vector);
    } else {
      line(text_, "        bundle<{}> transposed[{}];", width, packed);
      line(text_, "        transpose_bundles<{}, {}>(held[b], transposed);", bytes_, a.vector);
      line(text_, "#pragma unroll");
      line(text_, "        for (int s = 0; s < {}; ++s)", packed);
      line(text_, "          {}store_bundle<{}>({}, transposed[s]);", when, width,
           address(false, fmt::format("at + s * {}{}", at(schedule_.read.loop).dst, suffix(false))));
    }
    line(text_, "      }}");
    line(text_, "    }}");
    line(text_, "  }}");
  }

  void runs() {
    cuda_access const& a = schedule_.read;
    int64_t const values = size_of(a.values), width = a.vector * bytes_;
    origin();
    std::string const condition = open_phase(a);
    thread_offset(a, "source", offset_type(true), global_weight(true));
    thread_offset(a, "target", offset_type(false), global_weight(false));
    std::string const offset = value_offset(a, "source", suffix(true), global_weight(true));
    std::string const to = address(false, value_offset(a, "target", suffix(false), global_weight(false)));
    int64_t const at_once = std::min<int64_t>(values, a.at_once);
    // A run that is no whole number of vectors ends with single elements.
    bool const whole = at(a.loop).extent % a.vector == 0;
    if (!whole) {
      line(text_, "    int const along = {};",
           sum(
               a.threads, [](std::size_t i) { return fmt::format("p{}", i); },
               [&](cuda_mode const& m) { return m.loop == a.loop ? m.step : 0; }, ""));
    }
    std::string const past =
        whole ? ""
              : fmt::format(
                    "{} + {} <= n{}",
                    value_offset(a, "along", "", [&](cuda_mode const& m) { return m.loop == a.loop ? m.step : 0; }),
                    a.vector, a.loop);
    std::string const all = with_tail(past.empty()        ? condition
                                      : condition.empty() ? past
                                                          : fmt::format("{} && {}", condition, past),
                                      values, at_once);
    std::string from = address(true, where_it_exists(all, offset));
    if (!whole) {  // the tile's first vector may hang over too: what is read in its place is the first of all
      line(
          text_, "    char const* const first_vector = static_cast<char const*>(src) + {} * {};",
          swizzled(true) ? fmt::format("swizzle_src({}LL)", moves_.src_offset) : fmt::format("{}LL", moves_.src_offset),
          bytes_);
      from = fmt::format("({}) ? {} : first_vector", all.substr(4, all.size() - 6), address(true, offset));
    }
    open_batches(values, at_once);
    line(text_, "      bundle<{}> held[{}];", width, at_once);
    open_values(values, at_once);
    line(text_, "        held[b] = {}({});", load_of(width), from);
    line(text_, "      }}");
    open_values(values, at_once);
    line(text_, "        {}store_bundle<{}>({}, held[b]);", all, width, to);
    line(text_, "      }}");
    line(text_, "    }}");
    if (!whole) single_elements(a, condition, past, values);
    line(text_, "  }}");
  }

  void single_elements(cuda_access const& a, std::string const& condition, std::string const& past, int64_t values) {
    line(text_, "    for (int v = 0; v < {}; ++v) {{", values);
    std::string const mine =
        value_offset(a, "along", "", [&](cuda_mode const& m) { return m.loop == a.loop ? m.step : 0; });
    line(text_, "      if ({}{}!({}))", condition, condition.empty() ? "" : " && ", past);
    line(text_, "        for (int j = 0; {} + j < n{}; ++j)", mine, a.loop);
    auto const element = [&](bool source) {
      return address(source, value_offset(a, source ? "source" : "target", suffix(source), global_weight(source)) +
                                 fmt::format(" + j * {}LL", stride(source, a.loop)));
    };
    line(text_, "          store_bundle<{0}>({2}, load_bundle<{0}>({1}));", bytes_, element(true), element(false));
    line(text_, "    }}");
  }

  copy_plan const& plan_;
  movement const& moves_;
  cuda_schedule const& schedule_;
  int bytes_;
  std::string text_;
};

}  // namespace

kernel_spec make_kernel(copy_plan const& plan) { return writer(plan).run(); }

}  // namespace tilewright::gpu
