// What the checked mode reports: one structured fault, and the exception that carries it out of launch_checked.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/exec/dim3.hpp"

#include <stdexcept>
#include <string>

namespace tilewright {

enum class fault {
  out_of_bounds,       // an access outside of its allocation
  misaligned,          // an access of several bytes at an address that is not a multiple of their number
  uninitialised_read,  // shared memory that no thread of the block has written
  unordered_read,      // of bytes another thread wrote, with no barrier between
  unordered_write,     // of bytes another thread wrote, with no barrier between
  write_after_read,    // of bytes another thread read, with no barrier between
  divergent_barrier,   // threads wait at a barrier that others left out
  unfinished_copy,     // an asynchronous copy that its thread has not waited for
  refused,             // a call of the library that refused its operands
};

char const* to_string(fault kind);

struct execution_report {
  fault kind = fault::out_of_bounds;
  dim3 block{0, 0, 0};        // index of the faulting thread's block
  int thread = -1;            // linear index within the block
  dim3 other_block{0, 0, 0};  // where the other thread ran: the same block for shared memory
  int other_thread = -1;      // the thread in conflict; -1 if no other thread is involved
  std::string allocation;     // "shared memory 0", "argument 2"; empty at a barrier
  long long byte_offset = 0;  // of the first faulting byte, from the allocation's start
  long long element_offset = 0;
  std::string coordinate;   // in the tensor's layout, "(3,1)"; empty where no coordinate has the offset
  std::string place;        // of the barrier `thread` waits at, file:line
  std::string other_place;  // of the barrier the other waits at; empty if it has exited
  std::string detail;       // what the library said where it refused a coordinate or another operand
};

/// One sentence.
std::string to_string(execution_report const& report);

/// Thrown by launch_checked; `what()` is the sentence.
class execution_error : public std::runtime_error {
 public:
  explicit execution_error(execution_report report);
  execution_report const& report() const { return report_; }

 private:
  execution_report report_;
};

}  // namespace tilewright
