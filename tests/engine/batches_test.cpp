// Transposes whose tiles have more rows than a kernel gathers at once, with a last batch that is shorter than a vector,
// and whose destination goes through a buffer in which the columns follow each other without gaps: the tensors of the
// report that found this wrong, and the family around them. Every byte of the destination is compared.
#include "tilewright/engine/copy.hpp"
#include "tilewright/layout/text.hpp"
#include "tilewright/plan/prove.hpp"

#include "engine/plan/cpu_knobs.hpp"
#include "random_copies.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace tilewright {
namespace {

using bytes = std::vector<std::uint8_t>;

/// (batches, rows, columns) becomes (batches, columns, rows), both without gaps.
struct transpose {
  std::int64_t batches, rows, columns, width;

  std::size_t size() const { return static_cast<std::size_t>(batches * rows * columns * width); }
  copy_request request() const {
    std::string const shape = fmt::format("({},{},{}):", columns, rows, batches);
    return {composed(parse_layout(shape + fmt::format("(1,{},{})", columns, rows * columns))),
            composed(parse_layout(shape + fmt::format("({},1,{})", rows, rows * columns))), static_cast<int>(8 * width),
            64, 64};
  }
  bytes of(bytes const& source) const {
    bytes out(source.size());
    auto const w = static_cast<std::size_t>(width);
    std::uint8_t* to = out.data();
    for (std::int64_t b = 0; b < batches; ++b)
      for (std::int64_t c = 0; c < columns; ++c) {
        std::uint8_t const* from = source.data() + (b * rows * columns + c) * width;
        for (std::int64_t r = 0; r < rows; ++r, to += w, from += columns * width) std::copy_n(from, w, to);
      }
    return out;
  }
  std::string text() const { return fmt::format("({},{},{}) of {} bytes", batches, rows, columns, width); }
};

TEST(transposing_in_batches, is_right_for_the_tensors_of_the_report) {
  for (transpose const& t :
       {transpose{256, 400, 400, 1}, transpose{1, 400, 100'000, 1}, transpose{1, 100'000, 400, 1},
        transpose{1, 257, 77'821, 1}, transpose{1, 77'821, 257, 1}, transpose{1, 38'910, 257, 2},
        transpose{1, 257, 38'910, 2}, transpose{1, 257, 19'455, 4}, transpose{1, 19'455, 257, 4}}) {
    bytes const source = tests::random_bytes(t.size(), 1);
    bytes out(t.size());
    copy_request const r = t.request();
    auto const type = t.width == 1 ? element_type::b8 : t.width == 2 ? element_type::b16 : element_type::b32;
    copy({source.data(), r.src, type}, {out.data(), r.dst, type});
    EXPECT_TRUE(out == t.of(source)) << t.text();
  }
}

TEST(transposing_in_batches, is_right_for_every_last_batch) {
  for (std::int64_t const width : {1, 2, 4, 8, 16})
    for (std::int64_t const whole : {0, 128, 256})
      for (std::int64_t const rest : {1, 7, 15, 17, 31, 33, 63, 65, 127})
        for (std::int64_t const columns : {2, 17, 65}) {
          transpose const t{2, whole + rest, columns, width};
          bytes const source = tests::random_bytes(t.size(), 7);
          copy_plan plan = plan_copy(t.request(), machine_named("cpu"));
          plan::cpu_knobs knobs = plan::candidates(plan.moves, plan.machine, t.request()).front();
          knobs.streaming = true;
          knobs.row_bytes = 1 << 20;
          plan::schedule_cpu_with(plan, t.request(), knobs);
          bytes out(t.size());
          run(plan, source.data(), out.data(), {.threads = 1});
          ASSERT_TRUE(out == t.of(source)) << t.text() << "\n" << explain(plan);
        }
}

}  // namespace
}  // namespace tilewright
