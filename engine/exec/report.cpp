// Puts a fault into words.
#include "tilewright/exec/report.hpp"

#include <utility>

namespace tilewright {

char const* to_string(fault kind) {
  switch (kind) {
    case fault::out_of_bounds: return "out_of_bounds";
    case fault::misaligned: return "misaligned";
    case fault::uninitialised_read: return "uninitialised_read";
    case fault::unordered_read: return "unordered_read";
    case fault::unordered_write: return "unordered_write";
    case fault::write_after_read: return "write_after_read";
    case fault::divergent_barrier: return "divergent_barrier";
    case fault::unfinished_copy: return "unfinished_copy";
    case fault::refused: return "refused";
  }
  return "unknown";
}

namespace {

std::string text(dim3 const& index) {
  return std::string("(") + std::to_string(index.x) + "," + std::to_string(index.y) + "," + std::to_string(index.z) +
         ")";
}

std::string element(execution_report const& r) {
  auto const offset = "offset " + std::to_string(r.element_offset) + " (byte " + std::to_string(r.byte_offset) + ")";
  return (r.coordinate.empty() ? "" : "coordinate " + r.coordinate + ", ") + offset + " of " + r.allocation;
}

}  // namespace

std::string to_string(execution_report const& r) {
  auto const who = "thread " + std::to_string(r.thread) + " of block " + text(r.block);
  auto const other = "thread " + std::to_string(r.other_thread) +
                     (r.other_block == r.block ? std::string() : " of block " + text(r.other_block));
  // Blocks of one launch have no order at all; threads of one block have the one their barriers give.
  auto const remedy = r.other_block == r.block
                          ? std::string(" with no barrier between; put a sync() between them")
                          : std::string("; blocks of one launch are not ordered, use two launches");
  auto line = std::string(to_string(r.kind)) + ": " + who;
  if (!r.detail.empty()) return line + ": " + r.detail;
  switch (r.kind) {
    case fault::unfinished_copy:
    case fault::refused: return line;
    case fault::out_of_bounds: return line + " accesses " + element(r) + ", which is outside of it";
    case fault::misaligned: return line + " accesses " + element(r) + " with a type of stricter alignment";
    case fault::uninitialised_read: return line + " reads " + element(r) + ", which no thread of the block has written";
    case fault::unordered_read: return line + " reads " + element(r) + ", which " + other + " wrote" + remedy;
    case fault::unordered_write: return line + " writes " + element(r) + ", which " + other + " wrote" + remedy;
    case fault::write_after_read: return line + " writes " + element(r) + ", which " + other + " read" + remedy;
    case fault::divergent_barrier:
      return line + " waits at " + r.place + " while " + other +
             (r.other_place.empty() ? " has exited" : " waits at " + r.other_place) +
             "; every thread of a block passes the same barriers";
  }
  return line;
}

execution_error::execution_error(execution_report report)
    : std::runtime_error(tilewright::to_string(report)),
      report_(std::move(report)) {}

}  // namespace tilewright
