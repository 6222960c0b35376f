// Copies of swizzled layouts and of half bytes on a CPU, as a share of memcpy's speed with as many bytes and threads.
#include "baseline.hpp"
#include "tilewright/engine/copy.hpp"
#include "tilewright/layout/text.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <thread>

using namespace tilewright;
using namespace tilewright::bench;

namespace {

struct side {
  char const* layout;
  swizzle_value swizzle{};
};
struct named_copy {
  char const* name;
  element_type element;
  side src, dst;
};

// 64 MB each, but for three channels.
constexpr named_copy copies[] = {
    {"half_bytes/transposed", element_type::u4, {"(8192,16384):(1,8192)"}, {"(8192,16384):(16384,1)"}},
    {"half_bytes/odd_transposed", element_type::u4, {"(8191,16383):(1,8191)"}, {"(8191,16383):(16383,1)"}},
    {"half_bytes/3_channels_last", element_type::u4, {"(33554432,3):(1,33554432)"}, {"(33554432,3):(3,1)"}},
    {"half_bytes/16_channels_last", element_type::u4, {"(8388608,16):(1,8388608)"}, {"(8388608,16):(16,1)"}},
    {"half_bytes/odd_rows", element_type::u4, {"(111,1048576):(1,128)"}, {"(111,1048576):(1,111)"}},
    {"half_bytes/8_of_k_together",
     element_type::u4,
     {"((8,1024),16384):((1,131072),8)"},
     {"((8,1024),16384):((1,8),8192)"}},
    {"half_bytes/swizzled", element_type::u4, {"(256,524288):(1,256)"}, {"(256,524288):(1,256)", {3, 5, 3}}},
    {"16_bits/rows_to_swizzled", element_type::f16, {"(64,524288):(1,64)"}, {"(64,524288):(1,64)", {3, 3, 3}}},
    {"16_bits/rows_from_swizzled", element_type::f16, {"(64,524288):(1,64)", {3, 3, 3}}, {"(64,524288):(1,64)"}},
    {"16_bits/transposed_to_swizzled",
     element_type::f16,
     {"(4096,8192):(1,4096)"},
     {"(4096,8192):(8192,1)", {3, 3, 3}}},
    {"16_bits/single_elements", element_type::f16, {"(64,524288):(1,64)"}, {"(64,524288):(1,64)", {3, 0, 3}}},
    {"32_bits/tiles_of_a_matrix",
     element_type::f32,
     {"((32,128),(64,64)):((1,32),(4096,262144))"},
     {"((32,128),(64,64)):((1,2048),(32,262144))", {3, 2, 3}}},
    {"32_bits/transposed_tiles",
     element_type::f32,
     {"((32,128),(32,128)):((1,32),(4096,131072))"},
     {"((32,128),(32,128)):((32,1024),(1,131072))", {5, 0, 5}}},
    {"8_bits/rows_to_swizzled", element_type::u8, {"(128,524288):(1,128)"}, {"(128,524288):(1,128)", {3, 4, 3}}},
};

struct release {
  void operator()(std::byte* p) const { ::operator delete(p, std::align_val_t(64)); }
};
using memory = std::unique_ptr<std::byte, release>;

memory filled(std::size_t bytes, int value) {
  memory out(static_cast<std::byte*>(::operator new(bytes, std::align_val_t(64))));
  std::memset(out.get(), value, bytes);
  return out;
}

composed_value layout_of(side const& s) { return {s.swizzle, constant_leaf(0), parse_layout(s.layout)}; }

void share_of_memcpy(benchmark::State& state, named_copy const& c) {
  auto const threads = static_cast<int>(state.range(0));
  composed_value const from = layout_of(c.src), to = layout_of(c.dst);
  std::size_t elements = 1;
  for (int i = 0; i < from.layout.leaves; ++i) elements *= static_cast<std::size_t>(from.layout.shape[i].number);
  std::size_t const bytes = elements * static_cast<std::size_t>(bits_of(c.element)) / 8, room = bytes + bytes / 4;
  memory const src = filled(room, 3), dst = filled(room, 1);
  copy_options options;
  options.threads = threads;
  const_tensor_view const a{src.get(), from, c.element, cpu};
  tensor_view const b{dst.get(), to, c.element, cpu};
  against(
      state, "share", ratio::speed, [&] { copy(a, b, options); },
      [&] { memcpy_by(threads, dst.get(), src.get(), bytes); });
  state.SetBytesProcessed(static_cast<std::int64_t>(2 * bytes) * state.iterations());
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  auto const all = static_cast<int>(std::thread::hardware_concurrency());
  for (named_copy const& c : copies) {
    auto* const b = benchmark::RegisterBenchmark(c.name, [&c](benchmark::State& state) { share_of_memcpy(state, c); });
    b->ArgName("threads")->Arg(1)->Unit(benchmark::kMillisecond)->Apply(in_turns);
    if (all > 1) b->Arg(all);
  }
  benchmark::RunSpecifiedBenchmarks();
}
