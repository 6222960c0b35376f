// Measures the schedules that the planner weighs for each of many copies on a GPU: what the constants of fitted_costs.hpp and the
// choice between kernels (schedule_cuda.cpp) are fitted to. With TILEWRIGHT_FIT_ALL set, also other tiles, threads and orders; with
// TILEWRIGHT_FIT_REALIGNED set, the realigned kernel's tiles.
//
//   measure_tiles list CASES                  how many schedules each case has
//   measure_tiles compile CASES PART PARTS    compiles the kernels of every PARTS-th schedule into the disk cache
//   measure_tiles time CASES                  one line of tab-separated numbers for each schedule
//   measure_tiles run CASES                   runs the chosen schedule of each case twice, for a profiler
//   measure_tiles count CASES                 runs every schedule once, for a profiler that counts instructions
//   measure_tiles source CASES                prints the kernel of each chosen schedule
//
// A line of CASES: name, bits of an element, source, destination, their offsets, elements of their buffers, bytes of the sectors
// that must be touched; tab-separated. Each run uses memory that no run before it has left in the second-level cache.
#include "engine/cuda/device_memory.hpp"
#include "engine/cuda/gpu_engine.hpp"
#include "engine/cuda/kernel_source.hpp"
#include "engine/kernels/cuda/realigned/schedule.hpp"
#include "engine/kernels/cuda/tile/numbers.hpp"
#include "engine/kernels/cuda/tile/schedule.hpp"
#include "engine/kernels/cuda/tile/sides.hpp"
#include "engine/kernels/cuda/tile/work.hpp"
#include "engine/plan/cuda_candidates.hpp"
#include "engine/plan/cuda_order.hpp"
#include "engine/plan/schedule.hpp"
#include "tilewright/layout/text.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace tilewright;
using plan::cuda_candidate;
using std::int64_t;

struct one_case {
  std::string name, src, dst;
  int bits = 8;
  int64_t src_offset = 0, dst_offset = 0, src_elements = 0, dst_elements = 0, roof_bytes = 0;
  int64_t src_first() const { return src_offset * bits / 8; }
  int64_t dst_first() const { return dst_offset * bits / 8; }
};

struct schedule_of_case {
  std::string knobs;
  cuda_candidate candidate;
  copy_plan plan;
};

std::vector<one_case> read_cases(char const* path) {
  std::vector<one_case> out;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    one_case c;
    std::string field;
    auto const next = [&] {
      std::getline(words, field, '\t');
      return field;
    };
    c.name = next();
    c.bits = std::stoi(next());
    c.src = next();
    c.dst = next();
    for (int64_t* n : {&c.src_offset, &c.dst_offset, &c.src_elements, &c.dst_elements, &c.roof_bytes})
      *n = std::stoll(next());
    out.push_back(c);
  }
  return out;
}

composed_value layout(std::string const& text) { return {{}, constant_leaf(0), parse_layout(text.c_str())}; }

int64_t alignment_of(int64_t first) {
  int64_t n = 1;
  while (n < 64 && first % (2 * n) == 0) n *= 2;
  return n;
}

class listing {
 public:
  listing(one_case const& c, machine_model const& machine)
      : request_{layout(c.src), layout(c.dst), c.bits, alignment_of(c.src_first()), alignment_of(c.dst_first())},
        machine_(machine) {}

  std::vector<schedule_of_case> all() {
    copy_plan const chosen = plan_copy(request_, machine_);
    add("chosen", chosen);
    blank_ = chosen;
    if (!std::holds_alternative<cuda_schedule>(chosen.schedule)) return out_;
    movement const& m = blank_.moves;
    if (kernels::serves(m)) planned_tiles(m);
    if (kernels::serves(m) && std::getenv("TILEWRIGHT_FIT_ALL") != nullptr) tiles(m);
    if (std::getenv("TILEWRIGHT_FIT_REALIGNED") != nullptr) realigned_tiles(m);
    if (m.has_loops() && m.element_bits >= 8 && !m.loops.empty() && m.loops[0].src != 0) {
      auto const others = plan::variants_of(m, request_, machine_);
      for (std::size_t i = 0; i < std::min<std::size_t>(others.size(), 3); ++i) {
        copy_plan p = blank_;
        plan::take(p, others[i]);
        add("variant " + std::to_string(i), p, others[i]);
      }
    }
    for (bool const source : {true, false}) {
      copy_request same = request_;
      (source ? same.dst : same.src) = source ? same.src : same.dst;
      (source ? same.dst_alignment : same.src_alignment) = source ? same.src_alignment : same.dst_alignment;
      try {
        add(source ? "source to itself" : "destination to itself", plan_copy(same, machine_));
      } catch (std::exception const&) {}
    }
    return out_;
  }

 private:
  /// As the planner weighs them.
  void planned_tiles(movement const& m) {
    auto const all = kernels::tile_candidates(m, request_, machine_, plan::loops_by(m, false), 12);
    for (std::size_t i = 0; i < all.size(); ++i) {
      copy_plan p = blank_;
      plan::take(p, all[i]);
      add((all[i].schedule.stages > 0 ? "pipelined " : "planned ") + std::to_string(i), p, all[i]);
      if (kernels::cut_rows_of(m, request_).length == 0) continue;
      for (cuda_fetch const fetch : {cuda_fetch::none, cuda_fetch::sectors, cuda_fetch::spans}) {
        cuda_candidate other = all[i];
        other.schedule.fetch = fetch;
        plan::take(p, other);
        add("planned " + std::to_string(i) + " fetches " + name_of(fetch), p, other);
      }
    }
  }

  void realigned_tiles(movement const& m) {
    plan::run_facts const f = plan::facts_of(m, request_);
    std::vector<int> const order = plan::loops_by(m, false);
    loop const &run = m.loops[static_cast<std::size_t>(f.along_dst)],
               &across = m.loops[static_cast<std::size_t>(f.along_src)];
    if (f.along_src == f.along_dst || run.dst != 1 || across.src != 1 || m.element_bits > 64) return;
    for (auto const& t : kernels::realigned_shapes(m.element_bits / 8, run.extent, across.extent)) {
      cuda_candidate const c = kernels::realigned_candidate(m, f, order, t);
      copy_plan p = blank_;
      plan::take(p, c);
      add("realigned " + std::to_string(t.tile_i) + " " + std::to_string(t.tile_j) + " " + std::to_string(t.threads), p,
          c);
    }
  }

  void tiles(movement const& m) {
    std::vector<int> const usual = plan::loops_by(m, false);
    std::vector<cuda_candidate> all = kernels::weighed_tiles(m, request_, machine_);
    for (std::size_t i = 0; i < std::min<std::size_t>(all.size(), 28); ++i) {
      cuda_candidate c = all[i];
      c.order = plan::order_of_tiles(m, machine_, c.tile, usual).loops;
      std::string const name = "tile " + std::to_string(i);
      tile(m, name, c, {});
      if (i >= 4) continue;
      for (int const threads : {128, 256, 384, 512}) {
        kernels::tile_knobs k;
        k.threads = threads;
        tile(m, name + " threads " + std::to_string(threads), c, k);
      }
      kernels::tile_knobs k;
      k.registers_in_flight = 24;
      tile(m, name + " registers 24", c, k);
      if (i >= 2) continue;
      kernels::tile_knobs plain_source, plain_target;
      plain_source.may_shift_source = false;
      plain_target.may_shift_target = false;
      tile(m, name + " plain source", c, plain_source);
      tile(m, name + " plain target", c, plain_target);
      for (bool const source : {true, false}) {
        cuda_candidate other = c;
        other.order = plan::loops_by(m, source);
        tile(m, name + (source ? " source's order" : " destination's order"), other, {});
      }
    }
  }

  void tile(movement const& m, std::string const& knobs, cuda_candidate c, kernels::tile_knobs const& k) {
    auto s = kernels::tile_schedule(m, request_, machine_, c.tile, c.order, k);
    if (!s) return;
    c.schedule = std::move(*s);
    copy_plan p = blank_;
    plan::take(p, c);
    add(knobs, p, c);
  }

  void add(std::string const& knobs, copy_plan const& p, cuda_candidate const& c = {}) {
    for (schedule_of_case const& known : out_)
      if (known.plan.moves == p.moves && known.plan.schedule == p.schedule && known.plan.tile == p.tile &&
          known.knobs != "chosen")
        return;
    out_.push_back({knobs, c, p});
    out_.back().plan.reasons.clear();
  }

  copy_request request_;
  machine_model machine_;
  copy_plan blank_;
  std::vector<schedule_of_case> out_;
};

template <class List>
std::string joined(List const& list) {
  std::string out;
  for (auto const x : list) out += (out.empty() ? "" : ",") + std::to_string(x);
  return out;
}

void print_side(kernels::tile_numbers::side const& s) {
  std::printf("\t%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %.0f", s.vector, s.rows, s.accesses,
              s.run_length, s.shifted, s.tabled_rows, s.tabled_places, s.counted, s.joined, s.joined_alignment, s.lanes,
              s.row_lanes, s.at_once, static_cast<int>(s.run_modes.size()), s.packed,
              static_cast<int>(s.row_modes.size()), s.table_length, s.pieced, s.strided, s.patterned, s.pattern_pieces,
              s.pattern.unit, s.pattern.instructions);
}

void print(one_case const& c, schedule_of_case const& s, double seconds, double least) {
  std::printf("%s\t%s\t%.9f\t%.9f\t", c.name.c_str(), s.knobs.c_str(), seconds, least);
  if (auto const* k = std::get_if<cuda_schedule>(&s.plan.schedule)) {
    std::vector<int> grid;
    for (cuda_mode const& g : k->grid) grid.push_back(g.loop);
    std::printf("%s\t%s\t%s\t%d\t%d\t%lld\t%lld\t%.4f\t%lld\t%lld", name_of(k->kernel), joined(s.plan.tile).c_str(),
                joined(grid).c_str(), k->threads, k->blocks_per_processor, static_cast<long long>(k->shared_bytes),
                static_cast<long long>(k->blocks), s.candidate.cost, static_cast<long long>(s.candidate.src_run),
                static_cast<long long>(s.candidate.dst_run));
    if (k->kernel == cuda_kernel::tile) {
      kernels::tile_numbers const n = kernels::numbers_of(s.plan);
      std::printf("\t%d", n.store_bytes);
      print_side(n.read);
      print_side(n.write);
      std::printf("\t%s", joined(k->place).c_str());
      kernels::tile_work const w = kernels::work_of(n);
      for (auto const& side : {w.read, w.write})
        std::printf("\t%.1f %.1f %.1f %.3f", side.requests, side.lines, side.shared_cycles, side.idle);
      std::printf("\t%d %.1f", n.element, w.instructions);
    } else {
      std::printf("\t%d\t%d %d", k->packed, k->read.vector, k->write.vector);
    }
  } else {
    std::printf("other");
  }
  std::printf("\n");
}

struct rotating {
  gpu::device_memory memory;
  std::size_t at = 0;
  rotating(gpu::gpu_device const& device, std::size_t bytes) : memory(device, bytes) { memory.fill(0x5a); }
  char* next(std::size_t bytes) {
    std::size_t const step = (bytes + (std::size_t{2} << 20)) >> 21 << 21;
    if (at + step > memory.bytes()) at = 0;
    char* const out = static_cast<char*>(memory.data()) + at;
    at += step;
    return out;
  }
};

class timer {
 public:
  explicit timer(gpu::driver_api const& api) : api_(api) {
    for (auto* e : {&from_, &to_}) gpu::check(api, api.cuEventCreate(e, 0), "cuEventCreate", "time");
  }
  template <class Run>
  double seconds(int runs, Run const& run) {
    api_.cuEventRecord(from_, nullptr);
    for (int i = 0; i < runs; ++i) run();
    api_.cuEventRecord(to_, nullptr);
    gpu::check(api_, api_.cuEventSynchronize(to_), "cuEventSynchronize", "time a copy");
    float ms = 0;
    api_.cuEventElapsedTime(&ms, from_, to_);
    return static_cast<double>(ms) * 1e-3 / runs;
  }

 private:
  gpu::driver_api const& api_;
  gpu::event_handle from_ = nullptr, to_ = nullptr;
};

int time_cases(std::vector<one_case> const& cases) {
  gpu::gpu_engine& engine = gpu::engine_of(0);
  gpu::driver_api const& api = *engine.device().api;
  gpu::current_context const scope(api, engine.device().primary);
  machine_model const machine = gpu::cuda_machine(0);
  std::size_t const pool = std::size_t{3} << 30;
  rotating sources(engine.device(), pool), targets(engine.device(), pool);
  timer clock(api);
  for (one_case const& c : cases) {
    std::vector<schedule_of_case> const all = listing(c, machine).all();
    auto const src_bytes = static_cast<std::size_t>(c.src_elements * c.bits / 8 + 64),
               dst_bytes = static_cast<std::size_t>(c.dst_elements * c.bits / 8 + 64);
    std::vector<std::shared_ptr<gpu::prepared_copy const>> ready;
    for (schedule_of_case const& s : all) ready.push_back(engine.prepare(s.plan));
    auto const memcpy_once = [&] {
      auto const half = static_cast<std::size_t>(c.roof_bytes / 2);
      api.cuMemcpyAsync(reinterpret_cast<gpu::device_address>(targets.next(half)),
                        reinterpret_cast<gpu::device_address>(sources.next(half)), half, nullptr);
    };
    constexpr int rounds = 5, runs = 2;
    std::vector<std::vector<double>> times(all.size());
    std::vector<double> roof;
    for (int round = 0; round < rounds; ++round) {
      (void)clock.seconds(1, memcpy_once);
      roof.push_back(clock.seconds(3, memcpy_once));
      for (std::size_t i = 0; i < all.size(); ++i) {
        bool const to_itself = all[i].knobs == "destination to itself",
                   from_itself = all[i].knobs == "source to itself";
        auto const run = [&] {
          std::size_t const from = to_itself ? dst_bytes : src_bytes, to = from_itself ? src_bytes : dst_bytes;
          gpu::start(*ready[i], sources.next(from) + (to_itself ? c.dst_first() : c.src_first()),
                     targets.next(to) + (from_itself ? c.src_first() : c.dst_first()), nullptr);
        };
        (void)clock.seconds(1, run);
        times[i].push_back(clock.seconds(runs, run));
      }
      roof.push_back(clock.seconds(3, memcpy_once));
    }
    std::sort(roof.begin(), roof.end());
    std::printf("%s\troof\t%.9f\t%.9f\n", c.name.c_str(), roof[roof.size() / 2], roof.front());
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::sort(times[i].begin(), times[i].end());
      print(c, all[i], times[i][rounds / 2], times[i].front());
    }
    std::fflush(stdout);
  }
  return 0;
}

int compile_cases(std::vector<one_case> const& cases, std::size_t part, std::size_t parts) {
  machine_model const machine = gpu::cuda_machine(0);
  std::size_t n = 0;
  for (one_case const& c : cases)
    for (schedule_of_case const& s : listing(c, machine).all())
      if (n++ % parts == part) (void)gpu::engine_of(0).prepare(s.plan);
  std::printf("part %zu of %zu: %zu schedules\n", part, parts, n);
  return 0;
}

int run_cases(std::vector<one_case> const& cases) {
  gpu::gpu_engine& engine = gpu::engine_of(0);
  gpu::current_context const scope(*engine.device().api, engine.device().primary);
  machine_model const machine = gpu::cuda_machine(0);
  rotating sources(engine.device(), std::size_t{3} << 30), targets(engine.device(), std::size_t{3} << 30);
  for (one_case const& c : cases) {
    auto const ready = engine.prepare(listing(c, machine).all().front().plan);
    std::printf("%s\t%s\n", c.name.c_str(), ready->kernel_name.c_str());
    for (int i = 0; i < 2; ++i)
      gpu::run(*ready, sources.next(static_cast<std::size_t>(c.src_elements * c.bits / 8 + 64)) + c.src_first(),
               targets.next(static_cast<std::size_t>(c.dst_elements * c.bits / 8 + 64)) + c.dst_first(), nullptr);
  }
  return 0;
}

int count_cases(std::vector<one_case> const& cases) {
  gpu::gpu_engine& engine = gpu::engine_of(0);
  gpu::current_context const scope(*engine.device().api, engine.device().primary);
  machine_model const machine = gpu::cuda_machine(0);
  rotating sources(engine.device(), std::size_t{3} << 30), targets(engine.device(), std::size_t{3} << 30);
  for (one_case const& c : cases)
    for (schedule_of_case const& s : listing(c, machine).all()) {
      if (s.knobs.ends_with("itself")) continue;
      print(c, s, 0, 0);
      gpu::run(*engine.prepare(s.plan),
               sources.next(static_cast<std::size_t>(c.src_elements * c.bits / 8 + 64)) + c.src_first(),
               targets.next(static_cast<std::size_t>(c.dst_elements * c.bits / 8 + 64)) + c.dst_first(), nullptr);
    }
  return 0;
}

int print_sources(std::vector<one_case> const& cases) {
  for (one_case const& c : cases)
    std::printf("// %s\n%s\n", c.name.c_str(),
                gpu::make_kernel(listing(c, machine_named("sm_90")).all().front().plan).source.c_str());
  return 0;
}

int list_cases(std::vector<one_case> const& cases) {
  for (one_case const& c : cases) {
    auto const all = listing(c, machine_named("sm_90")).all();
    for (auto const& s : all) print(c, s, 0, 0);
    std::fprintf(stderr, "%s: %zu schedules\n", c.name.c_str(), all.size());
  }
  return 0;
}

}  // namespace

int main(int count, char** words) {
  try {
    std::string const verb = count > 2 ? words[1] : "";
    if (verb == "list" && count == 3) return list_cases(read_cases(words[2]));
    if (verb == "compile" && count == 5)
      return compile_cases(read_cases(words[2]), std::strtoul(words[3], nullptr, 10),
                           std::strtoul(words[4], nullptr, 10));
    if (verb == "run" && count == 3) return run_cases(read_cases(words[2]));
    if (verb == "count" && count == 3) return count_cases(read_cases(words[2]));
    if (verb == "source" && count == 3) return print_sources(read_cases(words[2]));
    if (verb == "time" && count == 3) return time_cases(read_cases(words[2]));
    std::fprintf(stderr, "usage: measure_tiles list|compile|time|run|count|source CASES [PART PARTS]\n");
    return 2;
  } catch (std::exception const& e) {
    std::fprintf(stderr, "measure_tiles: %s\n", e.what());
    return 1;
  }
}
