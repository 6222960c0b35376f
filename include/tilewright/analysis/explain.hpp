// Sentences made from what the analyses found: one line a fact, each with its numbers. Nothing is computed here.
#pragma once

#include "tilewright/base/config.hpp"

#include <string>
#include <vector>

#include "tilewright/analysis/aliasing.hpp"
#include "tilewright/analysis/copy_report.hpp"
#include "tilewright/analysis/linear.hpp"
#include "tilewright/layout/text_writer.hpp"

namespace tilewright::analysis {

using lines = std::vector<std::string>;

namespace detail {

inline std::string text(long long n) { return std::to_string(n); }
inline std::string counted(long long n, std::string const& noun) { return text(n) + " " + noun + (n == 1 ? "" : "s"); }

/// sum / count, with one digit behind the point where it does not divide.
inline std::string mean(long long sum, long long count) {
  if (count == 0) return "0";
  if (sum % count == 0) return text(sum / count);
  long long const whole = sum / count, tenths = 10 * (sum % count) / count;
  return text(whole) + "." + text(tenths);
}
inline std::string mean_of(long long sum, long long count, std::string const& noun) {
  return mean(sum, count) + " " + noun + (sum == count ? "" : "s");
}
/// A share in per cent; 100 only where it is all, 0 only where it is nothing.
inline std::string percent(double share) {
  if (share >= 1) return "100 %";
  auto const whole = static_cast<long long>(share * 100 + 0.5);
  if (whole >= 100) return "above 99 %";
  return whole == 0 && share > 0 ? "below 1 %" : text(whole) + " %";
}
inline std::string mode_text(int mode) { return mode < 0 ? std::string("any mode") : "mode " + text(mode); }
inline std::string owner_text(owner const& o) { return "thread " + text(o.thread) + " (value " + text(o.value) + ")"; }
inline std::string bits_text(bits b) { return text(b.count) + "-bit"; }

inline std::string verb_of(access_kind kind) {
  switch (kind) {
    case access_kind::load: return "load";
    case access_kind::store: return "store";
    case access_kind::ldmatrix: return "ldmatrix";
    case access_kind::stmatrix: return "stmatrix";
  }
  return "access";
}
inline std::string space_text(memory space) {
  switch (space) {
    case memory::global: return "global memory";
    case memory::shared: return "shared memory";
    case memory::registers: return "registers";
  }
  return "memory";
}

}  // namespace detail

// --- layouts ---------------------------------------------------------------------------------------------------------
inline std::string explain(coverage const& c) {
  using namespace detail;
  std::string const tile = format_tuple(c.tile);
  std::string const who = counted(c.threads, "thread") + " x " + counted(c.values, "value");
  switch (c.verdict) {
    case coverage_verdict::exactly_once:
      return "covers " + tile + " exactly once: " + who + " = " + counted(c.elements, "element");
    case coverage_verdict::carried_twice:
      return "does not cover " + tile + " once: element " + format_tuple(c.coordinate) + " is copied twice, by " +
             owner_text(c.first) + " and by " + owner_text(c.second);
    case coverage_verdict::never_carried:
      return "does not cover " + tile + ": no thread copies element " + format_tuple(c.coordinate) + " (" + who +
             " for " + counted(c.elements, "element") + ")";
    case coverage_verdict::outside:
      return "reaches outside " + tile + ": " + owner_text(c.first) + " copies index " + text(c.element) +
             ", and the tile has " + counted(c.elements, "element");
  }
  return {};
}

inline std::string explain(aliasing const& a) {
  using namespace detail;
  switch (a.verdict) {
    case aliasing_verdict::injective_by_strides:
      return "injective: each stride steps over all that the smaller ones reach";
    case aliasing_verdict::injective_by_enumeration:
      return "injective: no two coordinates were found to share an offset";
    case aliasing_verdict::aliased:
      return "aliased: " + format_tuple(a.first) + " and " + format_tuple(a.second) + " share offset " + text(a.offset);
  }
  return {};
}

inline std::string explain(image const& i) {
  using namespace detail;
  if (i.offsets == 0) return "reaches no offset";
  std::string const range = counted(i.offsets, "offset") + " in [" + text(i.smallest) + ", " + text(i.largest) + "]";
  if (i.contiguous()) return "contiguous: " + range;
  return range + ", " + counted(i.gaps, "gap") + ", the first at " + text(i.first_gap);
}

// --- accesses --------------------------------------------------------------------------------------------------------
/// Why the width is what it is, as the end of a sentence.
inline std::string explain_limit(access_width const& w) {
  using namespace detail;
  std::string const found = text(w.found), needed = text(w.needed), mode = mode_text(w.mode);
  switch (w.limit) {
    case width_limit::machine: return "the machine's widest";
    case width_limit::atom: return "all that the atom carries";
    case width_limit::element:
      return "elements of " + found + " bits make no wider access: " + found + " is not a power of two";
    case width_limit::values: return "a thread has " + counted(w.found, "value") + ", not a multiple of " + needed;
    case width_limit::stride: return "a thread's values run along " + mode + ", whose stride is " + found + ", not 1";
    case width_limit::run:
      return "after " + counted(w.needed / 2, "value") + " a thread's next is " + found + " elements away, along " +
             mode;
    case width_limit::swizzle: return "the swizzle keeps only " + counted(w.found, "element") + " together";
    case width_limit::start:
      return w.mode < 0 ? "accesses do not start at multiples of " + needed + " elements"
                        : mode + " steps by " + found + ", not a multiple of " + needed + " elements";
    case width_limit::offset: return "the layout starts at offset " + found + ", not a multiple of " + needed;
    case width_limit::base: return "the base is aligned to " + counted(w.found, "byte") + ", not to " + needed;
  }
  return {};
}

/// What would lift the limit; empty where an arrangement of threads and values must say it.
inline std::string explain_remedy(access_width const& w, bits element) {
  using namespace detail;
  std::string const wanted = text(w.wanted.count);
  switch (w.limit) {
    case width_limit::start:
      return w.mode < 0 ? "" : "pad " + mode_text(w.mode) + " so that its stride is a multiple of " + wanted;
    case width_limit::offset: return "start the layout at a multiple of " + wanted;
    case width_limit::base: return "align the base to " + text(to_bytes(to_bits(w.wanted, element)).count) + " bytes";
    case width_limit::swizzle: return "use a swizzle Sw<B,M,S> whose 2^M is " + wanted + " or more";
    default: return "";
  }
}

/// Does the layout have the rows of 16 bytes that ldmatrix and stmatrix access?
constexpr bool holds_rows(access_width const& w) { return w.width.count >= 128; }

/// Of ldmatrix and stmatrix, which access rows of 128 bits and no others.
inline std::string explain_rows(access_width const& w, bits element, access_kind kind) {
  using namespace detail;
  std::string const verb = verb_of(kind), row = counted(w.vector.count, "element") + " each";
  if (holds_rows(w))
    return verb + " of rows of 128 bits" + (w.along < 0 ? "" : " along " + mode_text(w.along)) + ", " + row;
  std::string const remedy = explain_remedy(w, element);
  return verb + " is not possible: it accesses rows of 128 bits, contiguous and aligned to 16 bytes, and " +
         explain_limit(w) + (remedy.empty() ? "" : "; " + remedy);
}

inline std::string explain(access_width const& w, bits atom, bits element, access_kind kind) {
  using namespace detail;
  if (kind == access_kind::ldmatrix || kind == access_kind::stmatrix) return explain_rows(w, element, kind);
  std::string out = bits_text(w.width) + " " + verb_of(kind) + "s";
  if (w.along >= 0) out += " along " + mode_text(w.along);
  if (w.vector.count > 1) out += ", " + counted(w.vector.count, "element") + " each";
  if (w.width.count < atom.count) {
    out += ", although the atom carries " + text(atom.count) + " bits: " + explain_limit(w);
    if (std::string const remedy = explain_remedy(w, element); !remedy.empty()) out += "; " + remedy;
  } else if (w.limited()) {
    out += "; wider is not possible: " + explain_limit(w);
  } else {
    out += ": " + explain_limit(w);
  }
  return out;
}

inline std::string explain(global_traffic const& t, architecture const& machine) {
  using namespace detail;
  if (t.requests == 0) return "no requests";
  if (!machine.is_gpu())
    return mean_of(t.lines, t.requests, "cache line") + " of a thread in a round of " +
           mean(t.lines_least, t.requests) + " needed (" + percent(t.efficiency(machine)) + ")";
  return mean_of(t.sectors, t.requests, "sector") + " per warp request of " + mean(t.sectors_least, t.requests) +
         " needed (" + percent(t.efficiency(machine)) + "), " + mean_of(t.lines, t.requests, "line") + " of " +
         mean(t.lines_least, t.requests) + "; " + counted(t.requests, "request");
}

/// The phases of one access, with their arithmetic.
inline std::string explain(bank_report const& r, bits width) {
  using namespace detail;
  if (r.phases == 0) return "no phases";
  bool alike = true;
  std::size_t worst = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(r.phases); ++i) {
    bank_phase const& p = r.phase[i];
    alike = alike && p.lanes == r.phase[0].lanes && p.words == r.phase[0].words && p.banks == r.phase[0].banks &&
            p.wavefronts == r.phase[0].wavefronts;
    if (p.wavefronts > r.phase[worst].wavefronts) worst = i;
  }
  bank_phase const& p = r.phase[worst];
  std::string out = counted(r.phases, "phase") + " of " + counted(p.lanes, "thread") + " x " +
                    (width.count % 8 == 0 ? counted(width.count / 8, "byte") : counted(width.count, "bit")) + ", ";
  if (!alike) out += "the worst with ";
  out += counted(p.words, "word") + " on " + counted(p.banks, "bank");
  if (r.phases > 1 && alike) out += " each";
  if (p.wavefronts > 1) out += ", " + text(p.wavefronts) + " of them on bank " + text(p.busiest);
  return out + ": " + counted(r.wavefronts, "wavefront") + " of " + text(r.phases) + " needed";
}

inline std::string explain(shared_traffic const& t) {
  using namespace detail;
  std::string const sum = counted(t.wavefronts, "wavefront") + " in " + counted(t.phases, "phase") + " of " +
                          counted(t.instructions, "instruction");
  if (t.conflicts() == 0) return "no bank conflicts: " + sum;
  return counted(t.conflicts(), "bank conflict") + ": " + sum + ", " + mean(t.wavefronts, t.phases) +
         " times the least";
}

inline std::string explain(swizzle_choice const& c) {
  using namespace detail;
  std::string const tried = counted(c.tried, "swizzle") + " tried";
  std::string const cost = counted(c.wavefronts, "wavefront") + " for " + counted(c.phases, "phase");
  std::string const proof =
      c.proof == optimality::by_bound
          ? "no permutation of aligned vectors needs fewer than " + text(c.bound)
          : "no Swizzle<B,M,S> within the tile that keeps its vectors whole needs fewer (" + tried + ")";
  std::string const name = c.swizzle.bits == 0 ? std::string("no swizzle") : format_swizzle(c.swizzle);
  return name + ": " + (c.conflict_free() ? "no bank conflicts, " : "") + cost + ", " + text(c.unswizzled) +
         " without; " + proof;
}

inline std::string explain(arrangement const& a, architecture const& machine) {
  using namespace detail;
  int along = a.source.width.along >= 0 ? a.source.width.along : a.destination.width.along;
  std::string out = along < 0 ? std::string() : "let the values run along " + mode_text(along) + ": ";
  out += "thr " + format_layout(a.thr) + " with val " + format_layout(a.val) + " makes ";
  bool const same = a.source.width.width == a.destination.width.width;
  out += same ? bits_text(a.source.width.width) + " accesses on both sides"
              : bits_text(a.source.width.width) + " loads and " + bits_text(a.destination.width.width) + " stores";
  for (side_cost const* side : {&a.source, &a.destination})
    if (side->global.requests > 0)
      out += ", " + explain(side->global, machine) + (side == &a.source ? " of the source" : " of the destination");
  return out;
}

inline std::string explain(conflict_proof const& p) {
  using namespace detail;
  std::string const where = " at " + counted(p.positions, "position");
  std::string const found = p.conflict_free()
                                ? "no bank conflicts" + where
                                : counted(p.wavefronts, "wavefront") + " for " + counted(p.phases, "phase") + where;
  if (p.method == proof_method::enumeration) return found + ", each looked at";
  return found + ", by ranks over F2: 2^" + text(p.word_rank) + " words of a phase on 2^" + text(p.bank_rank) +
         " banks";
}

// --- what it takes ---------------------------------------------------------------------------------------------------
inline std::string explain(footprint const& f) {
  using namespace detail;
  std::string out = counted(f.registers, "register") + " of a thread and " + counted(f.shared.count, "byte") +
                    " of shared memory for " + counted(f.threads, "thread");
  if (f.blocks < 0) return out;
  std::string const by = f.blocks == f.blocks_by_shared      ? ", limited by shared memory"
                         : f.blocks == f.blocks_by_registers ? ", limited by registers"
                         : f.blocks == f.blocks_by_threads   ? ", limited by threads"
                                                             : "";
  return out + "; " + counted(f.blocks, "block") + " of an SM at a time" + by;
}

inline std::string explain(model_time const& t) {
  using namespace detail;
  auto const clocks = [](double n) { return text(static_cast<long long>(n + 0.5)); };
  char const* by = "";
  switch (t.bound_by()) {
    case time_bound::nothing: by = "nothing"; break;
    case time_bound::global_memory: by = "global memory"; break;
    case time_bound::shared_memory: by = "shared memory"; break;
    case time_bound::instructions: by = "instructions"; break;
  }
  return "at least " + clocks(t.clocks()) + " clocks of an SM, bound by " + by + " (global memory " +
         clocks(t.global_clocks) + ", shared memory " + clocks(t.shared_clocks) + ", instructions " +
         clocks(t.instruction_clocks) + ")";
}

// --- a whole tiled copy ----------------------------------------------------------------------------------------------
inline lines explain(side_report const& side, std::string const& name, bits atom, bits element, access_kind kind,
                     architecture const& machine) {
  using namespace detail;
  if (side.question.space == memory::registers) return {};
  std::string const where = name + ", " + space_text(side.question.space) + ": ";
  side_cost const& cost = side.cost;
  lines out{where + explain(cost.width, atom, element, kind)};
  if (kind != access_kind::load && kind != access_kind::store && !holds_rows(cost.width)) return out;
  if (!side.covers_whole_bytes)
    out.push_back(where + "accesses of " + text(cost.width.width.count) +
                  " bits are not whole bytes: threads that share a byte overwrite each other's elements");
  if (!machine.is_gpu() || side.question.space == memory::global) {
    out.push_back(where + explain(cost.global, machine));
    return out;
  }
  std::string const shown = explain(side.shown.banks, side.shown.access.width);
  if (cost.shared.instructions == 1 && cost.shared.conflicts() == 0)
    out.push_back(where + "no bank conflicts: " + shown);
  else out.push_back(where + explain(cost.shared) + "; the first: " + shown);
  return out;
}

inline lines explain(copy_report const& r) {
  architecture const& machine = arch(r.question.machine);
  lines out{explain(r.covered)};
  bits const element = r.map.element;
  for (auto const& l : explain(r.source, "source", r.atom(), element, r.question.loads_as(), machine)) out.push_back(l);
  for (auto const& l : explain(r.destination, "destination", r.atom(), element, r.question.stores_as(), machine))
    out.push_back(l);
  if (r.better) out.push_back(explain(*r.better, machine));
  for (side_report const* side : {&r.source, &r.destination})
    if (side->better_swizzle && !r.better)  // new threads and values would make other accesses
      out.push_back(std::string(side == &r.source ? "source" : "destination") + ": better with " +
                    explain(*side->better_swizzle));
  if (machine.is_gpu()) {
    out.push_back(explain(r.takes));
    out.push_back(explain(r.time));
  }
  return out;
}

}  // namespace tilewright::analysis
