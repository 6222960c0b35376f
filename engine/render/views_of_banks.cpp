// Bank conflicts as heat: of requests given as numbers, and of a tiled copy by the bank model of the analysis.
#include "engine/render/views.hpp"

#include "tilewright/render/colour.hpp"
#include "tilewright/tiling/banks.hpp"
#include "tilewright/tiling/tiled_side.hpp"

#include <algorithm>
#include <array>

namespace tilewright::render {
namespace {

constexpr std::size_t drawn_requests = 64;

panel heat_panel(std::vector<bank_request> const& requests) {
  if (requests.empty()) throw render_error("there is no request to shared memory to draw; give at least one");
  std::size_t const banks = requests[0].ways.size();
  panel p;
  p.title = "accesses to one bank at a time";
  p.colours = palette::heat;
  p.classes = heat_classes;
  p.cells.rows = static_cast<int>(requests.size());
  p.cells.columns = static_cast<int>(banks);
  p.cells.column_labels = counted(static_cast<long long>(banks));
  p.cells.column_title = "bank";
  p.cells.row_lines.assign(requests.size(), 0);
  p.cells.column_lines.assign(banks, 0);
  for (bank_request const& request : requests) {
    if (request.ways.size() != banks || banks == 0)
      throw render_error("the requests are for " + std::to_string(banks) + " and of " +
                         std::to_string(request.ways.size()) + " banks; give the same number, at least 1, to each");
    p.cells.row_labels.push_back(request.name);
    for (std::size_t b = 0; b < banks; ++b) {
      long long const ways = request.ways[b];
      cell c;
      c.text = ways == 0 ? "" : std::to_string(ways);
      c.coordinate = request.name;
      c.bank = static_cast<long long>(b);
      c.colour = heat_class(ways);
      p.cells.cells.push_back(std::move(c));
    }
  }
  return p;
}

void add_heat(scene& s, long long worst) {
  s.lines.push_back(worst <= 1 ? "no bank serves more than one word at a time"
                               : "the busiest bank serves " + std::to_string(worst) + " words one after another");
  constexpr std::array texts{"not used", "1: no conflict", "2", "3–4", "5–8", "9–16", "more"};
  int const shown = std::max(2, heat_class(worst) + 1);
  for (int i = 0; i < shown; ++i)
    s.legend.push_back({texts[static_cast<std::size_t>(i)], palette::heat, i, heat_classes});
}

/// As many elements at a time as are contiguous for every thread, at most the atom's.
long long contiguous_run(tiling::tiled_side const& side, long long atom) {
  auto const runs = [&](long long vector) {
    for (tiling::round_class const& round : side.classes)
      for (long long t = 0; t < side.threads; ++t)
        for (long long v = 0; v < side.values; ++v)
          if (v % vector != 0 && side.at(t, v, round) != side.at(t, v - 1, round) + 1) return false;
    return true;
  };
  long long vector = atom;
  while (vector > 1 && (side.values % vector != 0 || !runs(vector))) vector = vector % 2 == 0 ? vector / 2 : 1;
  return vector;
}

/// What the accesses of one round ask of the banks, and of each element the load of its bank.
struct bank_load {
  std::vector<bank_request> requests;
  std::vector<long long> ways_of;  // [thread + threads * value]
  std::vector<long long> bank_of;
  long long vector = 1, worst = 0, wavefronts = 0;
};

bank_load load_of(tiling::tiled_side const& side, long long vector, bool loads, architecture const& machine) {
  bank_load out;
  out.vector = vector;
  std::size_t const pairs = static_cast<std::size_t>(side.threads * side.values);
  out.ways_of.assign(pairs, 0);
  out.bank_of.assign(pairs, 0);
  tiling::round_class const round = side.classes.front();
  for (long long warp = 0; warp * machine.warp < side.threads; ++warp) {
    for (long long value = 0; value < side.values; value += vector) {
      tiling::warp_access access{};
      access.kind = loads ? tiling::access_kind::load : tiling::access_kind::store;
      access.width = {vector * side.element.count};
      long long const first = warp * machine.warp, end = std::min<long long>(first + machine.warp, side.threads);
      for (long long t = first; t < end; ++t)
        access.set(static_cast<int>(t - first), {side.at(t, value, round) * side.element.count});
      int const lanes = tiling::lanes_of_a_phase(access);
      for (int lane = 0; first + lane < end; lane += lanes) {
        bank_request request;
        long long const stop = std::min<long long>(first + lane + lanes, end);
        request.name = "T" + std::to_string(first + lane) + "–" + std::to_string(stop - 1);
        if (side.values > vector) request.name += " V" + std::to_string(value);
        tiling::bank_words const words(access, machine, lane, lanes);
        for (int bank = 0; bank < machine.banks; ++bank) request.ways.push_back(words.of_bank(bank));
        for (long long t = first + lane; t < stop; ++t) {
          for (long long v = value; v < value + vector; ++v) {
            auto const pair = static_cast<std::size_t>(t + side.threads * v);
            long long const bit = side.at(t, v, round) * side.element.count;
            out.bank_of[pair] = math::floor_mod(math::floor_div(bit, to_bits(machine.bank_width).count), machine.banks);
            out.ways_of[pair] = request.ways[static_cast<std::size_t>(out.bank_of[pair])];
          }
        }
        long long const busiest = *std::max_element(request.ways.begin(), request.ways.end());
        out.worst = std::max(out.worst, busiest);
        out.wavefronts += busiest;
        out.requests.push_back(std::move(request));
      }
    }
  }
  return out;
}

long long worst_of(std::vector<bank_request> const& requests) {
  long long worst = 0;
  for (bank_request const& r : requests)
    for (long long const ways : r.ways) worst = std::max(worst, ways);
  return worst;
}

std::vector<panel> element_panels(copy_picture const& copy, tiling::tiled_side const& side, bank_load const& load) {
  domain const d = domain_of(copy.tiler, "the tile");
  std::vector<long long> pair_of(static_cast<std::size_t>(d.size()), -1);
  for (long long pair = side.threads * side.values - 1; pair >= 0; --pair) {
    long long const at = copy.tv(pair);
    if (at < 0 || at >= d.size())
      throw render_error("the thread-value map reaches outside the tile, at index " + std::to_string(at) +
                         "; give the tile that it was made for");
    pair_of[static_cast<std::size_t>(at)] = pair;
  }
  return panels_of("elements of one round",
                   grids_of(d,
                            [&](long long index) {
                              long long const pair = pair_of[static_cast<std::size_t>(index)];
                              cell c;
                              if (pair < 0) return c;
                              auto const at = static_cast<std::size_t>(pair);
                              c.thread = pair % side.threads;
                              c.value = pair / side.threads;
                              c.offset = side.at(*c.thread, *c.value, side.classes.front());
                              c.bank = load.bank_of[at];
                              c.text = std::to_string(*c.bank);
                              c.colour = heat_class(load.ways_of[at]);
                              return c;
                            }),
                   palette::heat, heat_classes);
}

}  // namespace

scene conflict_scene(std::vector<bank_request> const& requests, plot_options const& options) {
  scene s;
  s.title = options.title.empty() ? "bank conflicts" : options.title;
  s.panels.push_back(heat_panel(requests));
  add_heat(s, worst_of(requests));
  return checked_scene(std::move(s));
}

scene conflict_scene(copy_picture const& copy, named_layout const& shared, plot_options const& options) {
  check_banks(options);
  architecture machine = arch(arch_id::sm_90);
  if (options.banks > 64)
    throw render_error("bank conflicts are known for 64 banks at most, not " + std::to_string(options.banks));
  machine.banks = static_cast<int>(options.banks);
  machine.bank_width = options.bank_width;
  tiling::tiled_map const map{copy, options.element, copy.thr};
  tiling::tiled_side const side = tiling::side_of(map, shared.map, machine).value();
  if (side.classes.empty()) throw render_error("the copy moves nothing, so there are no accesses to draw");
  long long const vector = contiguous_run(side, copy.atom.count);
  if (vector * options.element.count > machine.widest_shared.count)
    throw render_error("a thread moves " + std::to_string(vector * options.element.count) + " bits at a time, and " +
                       std::to_string(machine.widest_shared.count) +
                       " is the widest access to shared memory; give a narrower atom");
  bank_load const load = load_of(side, vector, options.loads, machine);
  scene s;
  s.title = options.title.empty() ? "bank conflicts" : options.title;
  s.lines.push_back(std::to_string(vector * options.element.count) + "-bit " +
                    (options.loads ? "loads from " : "stores to ") + title_of(shared) + ": " +
                    std::to_string(load.requests.size()) + " phases take " + std::to_string(load.wavefronts) +
                    " wavefronts; the number in an element is its bank");
  if (vector < copy.atom.count)
    s.lines.push_back("the atom's " + std::to_string(copy.atom.count) +
                      " values are not contiguous here, so each access moves " + std::to_string(vector));
  s.panels = element_panels(copy, side, load);
  std::vector<bank_request> shown = load.requests;
  if (shown.size() > drawn_requests) shown.resize(drawn_requests);
  s.panels.push_back(heat_panel(shown));
  s.panels.back().title = "words that each bank serves, by phase";
  if (shown.size() < load.requests.size())
    s.panels.back().lines.push_back("and " + std::to_string(load.requests.size() - shown.size()) + " more phases");
  add_heat(s, load.worst);
  return checked_scene(std::move(s));
}

}  // namespace tilewright::render
