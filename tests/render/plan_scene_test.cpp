// Pictures of plans: every cell against the layouts themselves, every owner against the schedule's threads one by one, and
// that plans of all kinds can be drawn by all writers.
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

#include "fixed_plans.hpp"
#include "tilewright/plan/prove.hpp"
#include "tilewright/render/print.hpp"

namespace tilewright::render {
namespace {

using std::int64_t;

composed_value layout_of(std::string const& text) {
  if (!text.starts_with("Sw<")) return composed(parse_layout(text));
  layout_reader reader(text);
  composed_value out;
  out.swizzle = reader.read_swizzle();
  out.layout = parse_layout(text.substr(text.rfind(' ') + 1));
  return out;
}

copy_plan planned(char const* src, char const* dst, int bits, char const* machine) {
  return plan_copy({layout_of(src), layout_of(dst), bits}, machine_named(machine));
}

/// "(3,0,5)"
std::vector<int64_t> numbers_in(std::string const& coordinate) {
  int_tree const t = parse_tuple(coordinate);
  std::vector<int64_t> out;
  for (int i = 0; i < t.leaves; ++i) out.push_back(t.shape[i].number);
  return out;
}

panel const& panel_named(scene const& s, std::string const& part) {
  for (panel const& p : s.panels)
    if (p.title.find(part) != std::string::npos) return p;
  throw std::runtime_error("no panel " + part);
}

/// Where the loops say an element is, with the swizzle.
int64_t offset_by_hand(movement const& m, bool source, std::vector<int64_t> const& x) {
  int64_t offset = source ? m.src_offset : m.dst_offset;
  for (std::size_t l = 0; l < x.size(); ++l) offset += x[l] * (source ? m.loops[l].src : m.loops[l].dst);
  swizzle_value const& w = source ? m.src_swizzle : m.dst_swizzle;
  if (w.bits == 0) return offset;
  int64_t const mask = ((int64_t{1} << w.bits) - 1) << (w.base + std::max(w.shift, 0));
  return offset ^ (w.shift >= 0 ? (offset & mask) >> w.shift : (offset & mask) << -w.shift);
}

/// coordinate -> (thread, vector), thread by thread, as a kernel counts.
using owners = std::map<std::vector<int64_t>, std::pair<int64_t, int64_t>>;
owners owners_by_hand(copy_plan const& plan, cuda_access const& a, int packed_loop, int64_t packed) {
  auto const product = [](std::vector<cuda_mode> const& modes) {
    return std::accumulate(modes.begin(), modes.end(), int64_t{1},
                           [](int64_t n, cuda_mode const& m) { return n * m.extent; });
  };
  owners out;
  for (int64_t t = 0; t < product(a.threads); ++t)
    for (int64_t v = 0; v < product(a.values); ++v)
      for (int64_t k = 0; k < packed; ++k)
        for (int64_t j = 0; j < a.vector; ++j) {
          std::vector<int64_t> x(plan.tile.size(), 0);
          int64_t of_thread = t, of_value = v;
          for (cuda_mode const& m : a.threads) {
            x[static_cast<std::size_t>(m.loop)] += of_thread % m.extent * m.step;
            of_thread /= m.extent;
          }
          for (cuda_mode const& m : a.values) {
            x[static_cast<std::size_t>(m.loop)] += of_value % m.extent * m.step;
            of_value /= m.extent;
          }
          x[static_cast<std::size_t>(a.loop)] += j;
          if (packed > 1) x[static_cast<std::size_t>(packed_loop)] += k;
          bool inside = true;
          for (std::size_t l = 0; l < x.size(); ++l) inside = inside && x[l] < plan.tile[l];
          if (!inside) continue;
          EXPECT_TRUE(out.emplace(x, std::pair(t, v)).second);
        }
  return out;
}

/// The same where rows begin at any element, thread by thread: the vectors of rows that it reads, the words of columns that it writes.
owners realigned_by_hand(copy_plan const& plan, bool source) {
  auto const& s = std::get<cuda_schedule>(plan.schedule);
  auto const i = static_cast<std::size_t>(s.write.loop), j = static_cast<std::size_t>(s.read.loop);
  int64_t const element = plan.moves.element_bits / 8, sector = s.image.sector, halo = sector / element;
  int64_t const word = element < 4 ? 4 : element, warps = s.threads / 32, of_row = (plan.tile[j] * element + 7) / 8;
  int64_t const row_lanes = of_row < 8 ? 8 : of_row < 16 ? 16 : 32;
  owners out;
  std::vector<int64_t> x(plan.tile.size(), 0);
  auto const byte_at = [&](int64_t at_i, int64_t at_j) {
    loop const &a = plan.moves.loops[i], &b = plan.moves.loops[j];
    return element * (source ? plan.moves.src_offset + at_i * a.src + at_j * b.src
                             : plan.moves.dst_offset + at_i * a.dst + at_j * b.dst);
  };
  auto const add = [&](int64_t at_i, int64_t at_j, int64_t thread, int64_t value) {
    if (at_i < 0 || at_j < 0 || at_i >= plan.tile[i] || at_j >= plan.tile[j]) return;
    x[i] = at_i;
    x[j] = at_j;
    EXPECT_TRUE(out.emplace(x, std::pair(thread, value)).second);
  };
  for (int64_t t = 0; t < s.threads; ++t) {
    int64_t const warp = t / 32, lane = t % 32;
    if (source) {
      int64_t r = warp + warps * (lane / row_lanes);
      for (int64_t v = 0; r < plan.tile[i] + halo; r += warps * (32 / row_lanes), ++v) {
        int64_t const row = byte_at(r - halo, 0), at = row - (row % 8 + 8) % 8 + lane % row_lanes * 8;
        for (int64_t k = 0; k < 8; k += element)
          if (at + k >= row) add(r - halo, (at + k - row) / element, t, v);
      }
    } else {
      int64_t v = 0;
      for (int64_t group = warp; group * 16 < plan.tile[j] * element; group += warps)
        for (int64_t c = group * 16 / element; c < (group + 1) * 16 / element; ++c, ++v) {
          int64_t const begin = byte_at(-halo, c), at = begin - (begin % word + word) % word + lane * word;
          int64_t const whole = begin - (begin % sector + sector) % sector + sector;
          if (at < whole || at >= whole + plan.tile[i] * element) continue;
          for (int64_t k = 0; k < word; k += element) add((at + k - begin) / element - halo, c, t, v);
        }
    }
  }
  return out;
}

void expect_offsets(copy_plan const& plan, panel const& p, bool source) {
  std::set<long long> seen;
  for (cell const& c : p.cells.cells) {
    if (!c.exists) continue;
    ASSERT_TRUE(c.offset);
    EXPECT_EQ(*c.offset, offset_by_hand(plan.moves, source, numbers_in(c.coordinate))) << c.coordinate;
    if (source) continue;
    EXPECT_TRUE(seen.insert(*c.offset).second) << "drawn twice: " << c.coordinate;
  }
}

void expect_owners(panel const& p, owners const& wanted) {
  for (cell const& c : p.cells.cells) {
    if (!c.exists) continue;
    auto const of = wanted.find(numbers_in(c.coordinate));
    ASSERT_EQ(c.thread.has_value(), of != wanted.end()) << c.coordinate;
    if (!c.thread) continue;
    EXPECT_EQ(c.thread, of->second.first) << c.coordinate;
    EXPECT_EQ(c.value, of->second.second) << c.coordinate;
  }
}

/// The red line joins cells that follow each other in memory.
void expect_a_run(panel const& p, int64_t grain) {
  for (std::size_t i = 1; i < p.path.size(); ++i)
    EXPECT_EQ(*p.cells.cells[static_cast<std::size_t>(p.path[i])].offset,
              *p.cells.cells[static_cast<std::size_t>(p.path[i - 1])].offset + grain);
}

struct pair {
  char const *src, *dst;
  int bits;
};

class tiles_of_a_gpu : public testing::TestWithParam<pair> {};

TEST_P(tiles_of_a_gpu, show_the_threads_that_the_schedule_has) {
  copy_plan const plan = planned(GetParam().src, GetParam().dst, GetParam().bits, "sm_90");
  auto const& s = std::get<cuda_schedule>(plan.schedule);
  scene const drawn = plan_scene(plan);
  panel const &read = panel_named(drawn, "read the source"), &write = panel_named(drawn, "write the destination");
  expect_offsets(plan, read, true);
  expect_offsets(plan, write, false);
  if (s.kernel == cuda_kernel::realigned) {
    expect_owners(read, realigned_by_hand(plan, true));
    expect_owners(write, realigned_by_hand(plan, false));
    return;
  }
  if (s.kernel != cuda_kernel::runs && s.kernel != cuda_kernel::staged) return;  // they show no threads
  owners const readers = owners_by_hand(plan, s.read, 0, 1);
  int64_t const volume = std::accumulate(plan.tile.begin(), plan.tile.end(), int64_t{1}, std::multiplies<>());
  EXPECT_EQ(static_cast<int64_t>(readers.size()), volume);
  expect_owners(read, readers);
  bool const staged = s.kernel == cuda_kernel::staged;
  expect_owners(write,
                staged ? owners_by_hand(plan, s.write, s.read.loop, s.packed) : owners_by_hand(plan, s.read, 0, 1));
  expect_a_run(read, staged ? 1 : s.read.vector);
  expect_a_run(write, staged ? 1 : s.read.vector);
  if (!staged) return;
  for (cell const& c : panel_named(drawn, "shared memory").cells.cells) {
    if (!c.exists) continue;
    ASSERT_TRUE(c.bank);
    if (!c.offset) continue;  // padding
    std::vector<int64_t> const x = numbers_in(c.coordinate);
    int64_t at = 0;
    for (std::size_t l = 0; l < x.size(); ++l)
      at += x[l] % s.shared[l].split * s.shared[l].inner + x[l] / s.shared[l].split * s.shared[l].outer;
    EXPECT_EQ(*c.offset, at);
    EXPECT_EQ(*c.bank, at * plan.moves.element_bits / 32 % 32) << c.coordinate;
  }
}

INSTANTIATE_TEST_SUITE_P(plans, tiles_of_a_gpu,
                         testing::Values(pair{"(4096,4096):(4096,1)", "(4096,4096):(1,4096)", 32},
                                         pair{"(4096,4096):(4096,1)", "(4096,4096):(1,4096)", 8},
                                         pair{"(512,512):(512,1)", "(512,512):(1,512)", 64},
                                         pair{"(8192,256):(512,1)", "(8192,256):(256,1)", 32},
                                         pair{"(1000,1000):(1001,1)", "(1000,1000):(1,1003)", 16},
                                         pair{"(8,9,10,11,12):(11880,1320,132,12,1)",
                                              "(8,9,10,11,12):(1,8,72,720,7920)", 32},
                                         pair{"(64,64):(64,1)", "Sw<3,2,3> o 0 o (64,64):(1,64)", 32},
                                         pair{"(16,16):(16,1)", "(16,16):(1,16)", 128}));

TEST(plan_scene, shows_every_element_of_the_fixed_tile_once) {
  copy_plan const plan = tests::fixed_cuda_plan();
  ASSERT_TRUE(prove(plan)) << prove(plan).failure;
  scene const s = plan_scene(plan);
  ASSERT_EQ(s.panels.size(), 4u);
  EXPECT_EQ(s.rounds, (std::vector<std::string>{"vector 0 of each thread", "vector 1 of each thread"}));
  std::set<long long> links[3];
  for (int i = 0; i < 3; ++i)
    for (cell const& c : s.panels[static_cast<std::size_t>(i)].cells.cells)
      if (c.link) {
        EXPECT_TRUE(links[i].insert(*c.link).second);
      }
  EXPECT_EQ(links[0].size(), 64u);
  EXPECT_EQ(links[0], links[1]);
  EXPECT_EQ(links[0], links[2]);
  // Loop 0 is the destination's run, so a row of the picture is one.
  EXPECT_EQ(s.panels[2].cells.at(3, 5).coordinate, "(5,3)");
  EXPECT_EQ(s.panels[2].cells.at(3, 5).offset, 5 + 16 * 3);
  EXPECT_EQ(s.panels[2].path, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(s.panels[0].path, (std::vector<int>{0, 8, 16, 24, 32, 40, 48, 56}));
  // Tile (1,0) is the second in loop 0's order.
  panel const& tiles = s.panels[3];
  EXPECT_EQ(tiles.cells.at(0, 1).text, "1");
  EXPECT_EQ(tiles.cells.at(0, 1).coordinate, "(8,0)");
  EXPECT_EQ(tiles.cells.at(1, 0).coordinate, "(0,8)");
}

TEST(plan_scene, says_how_the_first_warp_meets_the_banks) {
  // 16 lanes store 16 bytes each: lane (q, r) the words from 4q + 12r on, q < 2, r < 8. Two phases of 8 lanes. In the
  // first, r < 4, these are words 0-7, 12-19, 24-31 and 36-43, the last on banks 4-11, so that banks 4-7 are asked twice;
  // in the second banks 20-23 are. Loads are of single words, 24p + v with p, v < 4: banks 0-3, 24-27, 16-19 and 8-11.
  scene const s = plan_scene(tests::fixed_cuda_plan());
  EXPECT_EQ(panel_named(s, "shared memory").lines.back(),
            "the first warp stores in 4 wavefronts for 2 phases and loads in 1 for 1");
}

TEST(plan_scene, colours_cache_lines_on_a_cpu) {
  copy_plan const plan = tests::fixed_cpu_plan();
  ASSERT_TRUE(prove(plan)) << prove(plan).failure;
  scene const s = plan_scene(plan);
  for (bool const source : {true, false}) {
    panel const& p = panel_named(s, source ? "read the source" : "write the destination");
    expect_offsets(plan, p, source);
    expect_a_run(p, 1);
    std::map<long long, int> colour_of;
    std::set<int> colours;
    for (cell const& c : p.cells.cells) {
      auto const [known, fresh] = colour_of.emplace(*c.offset * 4 / 64, c.colour);
      EXPECT_EQ(known->second, c.colour);
      if (fresh) {
        EXPECT_TRUE(colours.insert(c.colour).second);
      }
    }
  }
  EXPECT_EQ(panel_named(s, "buffer").cells.cells.size(), 0u);
}

TEST(plan_scene, walks_in_the_order_of_the_index) {
  scene const s = plan_scene(tests::fixed_walk_plan());
  layout_value const src = parse_layout("((4,6)):((6,1))"), dst = parse_layout("((6,4)):((1,6))");
  for (int i = 0; i < 24; ++i) {
    EXPECT_EQ(s.panels.at(0).cells.cells.at(static_cast<std::size_t>(i)).offset, src(i));
    EXPECT_EQ(s.panels.at(1).cells.cells.at(static_cast<std::size_t>(i)).offset, dst(i));
  }
}

TEST(plan_scene, draws_plans_of_all_kinds_with_all_writers) {
  for (char const* machine : {"cpu", "cpu-sse4", "sm_80", "sm_90"})
    for (pair const& p :
         {pair{"(0,4)", "(0,4)", 32}, pair{"1", "1", 32}, pair{"100000000:1", "100000000:1", 32},
          pair{"(4,8):(8,1)", "(4,8):(16,2)", 32}, pair{"((4,6)):((6,1))", "((6,4)):((1,6))", 32},
          pair{"(16,8):(1,16)", "(16,8):(8,1)", 4}, pair{"(64,64):(64,1)", "(64,64):(1,64)", 4},
          pair{"(8,64):(64,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)", 16},
          pair{"Sw<2,3,3> o 0 o (64,64):(64,1)", "(64,64):(1,64)", 16}, pair{"(32,64):(0,1)", "(32,64):(64,1)", 32},
          pair{"(7,5):(-1,7)", "(7,5):(5,-1)", 8}, pair{"(3,1000):(1000,1)", "(3,1000):(1,3)", 8},
          pair{"(2,3,4,5,6,7):(2520,840,210,42,7,1)", "(2,3,4,5,6,7):(1,2,6,24,120,720)", 16},
          pair{"(1234,777):(777,1)", "(1234,777):(1,1234)", 16}, pair{"(512,3):(4,1)", "(512,3):(3,1)", 8},
          pair{"(3,100000):(100000,1)", "(3,100000):(1,3)", 16},
          pair{"(100000,3):(3,1)", "(100000,3):(1,100000)", 8}}) {
      copy_plan const plan = planned(p.src, p.dst, p.bits, machine);
      scene const s = plan_scene(plan);
      EXPECT_FALSE(s.title.empty());
      for (std::string const& reason : plan.reasons)
        EXPECT_NE(std::find(s.lines.begin(), s.lines.end(), "– " + reason), s.lines.end()) << reason;
      EXPECT_GE(s.panels.size(), plan.moves.elements > 0 ? 2u : 0u) << p.src << ' ' << machine;
      for (panel const& one : s.panels) {
        EXPECT_LE(one.cells.rows, 32);
        EXPECT_LE(one.cells.columns, 128);
        EXPECT_EQ(one.cells.cells.size(), static_cast<std::size_t>(one.cells.rows * one.cells.columns));
        EXPECT_EQ(one.cells.row_lines.size(), static_cast<std::size_t>(one.cells.rows));
        EXPECT_EQ(one.cells.column_lines.size(), static_cast<std::size_t>(one.cells.columns));
      }
      for (format const as : {format::text, format::svg, format::html, format::latex, format::json})
        EXPECT_FALSE(write(s, as).empty());
    }
}

TEST(plan_scene, is_printed_like_other_pictures) {
  copy_plan const plan = tests::fixed_cuda_plan();
  testing::internal::CaptureStdout();
  print_text(plan);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), to_text(plan_scene(plan)));
  plot_request request;
  request.what = view_of("plan");
  request.plan = plan;
  request.options.title = "mine";
  EXPECT_EQ(make_scene(request).title, "mine");
}

TEST(plan_scene, refuses_plans_that_are_none) {
  auto const refusal = [](auto const& spoil, copy_plan plan) {
    spoil(plan);
    try {
      (void)plan_scene(plan);
    } catch (render_error const& e) {
      return std::string(e.what());
    }
    return std::string("drawn");
  };
  auto const of_gpu = [&](auto const& spoil) {
    return refusal([&](copy_plan& p) { spoil(p, std::get<cuda_schedule>(p.schedule)); }, tests::fixed_cuda_plan());
  };
  auto const all = {
      of_gpu([](copy_plan& p, cuda_schedule&) { p.tile.pop_back(); }),
      of_gpu([](copy_plan& p, cuda_schedule&) {
        p.order = {0, 7};
      }),
      of_gpu([](copy_plan& p, cuda_schedule&) { p.schedule = std::monostate{}; }),
      of_gpu([](copy_plan&, cuda_schedule& s) { s.read.loop = 2; }),
      of_gpu([](copy_plan&, cuda_schedule& s) { s.read.threads[0].loop = -1; }),
      of_gpu([](copy_plan&, cuda_schedule& s) { s.read.threads[0].extent = 0; }),
      of_gpu([](copy_plan&, cuda_schedule& s) { s.write.vector = 0; }),
      of_gpu([](copy_plan&, cuda_schedule& s) { s.shared.pop_back(); }),
      of_gpu([](copy_plan&, cuda_schedule& s) { s.shared[0].split = 0; }),
      of_gpu([](copy_plan&, cuda_schedule& s) { s.threads = 0; }),
      of_gpu([](copy_plan&, cuda_schedule& s) { s.write.values.clear(); }),
      refusal([](copy_plan& p) { std::get<cpu_schedule>(p.schedule).row_loops = {9}; }, tests::fixed_cpu_plan()),
      refusal(
          [](copy_plan& p) {
            p.tile = {16, 0};
          },
          tests::fixed_cpu_plan())};
  for (std::string const& sentence : all) {
    EXPECT_EQ(sentence.find("the plan cannot be drawn: "), 0u) << sentence;
    EXPECT_TRUE(sentence.ends_with("; draw one that plan_copy made")) << sentence;
  }
}

}  // namespace
}  // namespace tilewright::render
