// Sentences for the conditions of asynchronous copies (async_rules.hpp): what was found, what is asked for, what to do.
#pragma once

#include "tilewright/base/config.hpp"

#include <string>
#include <vector>

#include "tilewright/analysis/async_rules.hpp"

namespace tilewright::analysis {

/// One sentence, for a condition that holds as for one that does not.
inline std::string explain(condition const& c) {
  std::string const found = std::to_string(c.found), needed = std::to_string(c.needed);
  std::string const mode = "mode " + std::to_string(c.mode);
  bool const of_source = c.rule == async_rule::source_contiguous || c.rule == async_rule::source_alignment;
  std::string const side = of_source ? "source" : "destination";
  auto const say = [&](std::string const& fact, std::string const& rule, std::string const& remedy) {
    return fact + (c.holds ? ": " : ", but ") + rule + (c.holds ? "" : "; " + remedy);
  };
  switch (c.rule) {
    case async_rule::instruction_exists:
      return c.holds ? "the architecture has the instruction"
                     : "the architecture lacks the instruction; copy by another, or compile for one that has it";
    case async_rule::cp_async_width:
      return say("a thread copies " + found + " bytes", "cp.async carries 4, 8 or 16",
                 "carry several elements at once, or copy synchronously");
    case async_rule::cp_async_l2_only_width:
      return say("a thread copies " + found + " bytes", "cp.async.cg carries 16", "use .ca, or carry 16 bytes");
    case async_rule::source_contiguous:
    case async_rule::destination_contiguous:
      return say("the " + side + " holds " + found + " bytes together", "a copy takes " + needed,
                 "let the values run along the " + side + "'s mode of stride 1");
    case async_rule::source_alignment:
    case async_rule::destination_alignment:
      return say("the " + side + " is aligned to " + found + " bytes", "the copy asks for a multiple of " + needed,
                 "align it, or copy less at a time");
    case async_rule::size:
      return say("the copy has " + found + " bytes", "it takes a positive multiple of " + needed,
                 "pad the run, or use cp.async");
    case async_rule::size_counted:
      return say("a phase of the barrier waits for " + found + " bytes", "it counts at most " + needed,
                 "spread the copies over several barriers");
    case async_rule::tma_rank:
      return say("the tensor map has " + found + " modes", "TMA takes 1 to " + needed, "coalesce or slice the tensor");
    case async_rule::tma_extent:
      return say(mode + " of the tensor has " + found + " elements", "TMA takes 1 to " + needed,
                 "skip an empty tensor, or split the mode");
    case async_rule::tma_stride:
      return say(mode + " of the tensor steps by " + found + " bytes", "TMA takes multiples of " + needed,
                 "pad the tensor's rows");
    case async_rule::tma_stride_range:
      return say(mode + " of the tensor steps by " + found + " bytes", "TMA takes 0 to " + needed, "copy without TMA");
    case async_rule::tma_box:
      return say("the box has " + found + " elements in " + mode, "TMA takes 1 to " + needed, "choose a smaller tile");
    case async_rule::tma_row:
      return say("the box's rows have " + found + " bytes", "TMA takes multiples of " + needed,
                 "widen the tile along the mode of stride 1");
    case async_rule::tma_swizzle_exists:
      return say("the swizzle has rows of " + found + " bytes", "the architecture must have that mode",
                 "use 32, 64 or 128 on one that has TMA");
    case async_rule::tma_swizzle_span:
      return say("the box's rows have " + found + " bytes", "the swizzle moves chunks within " + needed,
                 "build the shared layout from an atom as wide as the swizzle");
    case async_rule::tma_store_row:
      return say("the tensor's rows have " + found + " bytes", "a store writes multiples of " + needed,
                 "make the contiguous extent a multiple of that, or store without TMA");
  }
  return {};
}

inline std::vector<std::string> explain(std::vector<condition> const& all) {
  std::vector<std::string> out;
  for (condition const& c : all) out.push_back((c.holds ? "holds: " : "broken: ") + explain(c));
  return out;
}

}  // namespace tilewright::analysis
