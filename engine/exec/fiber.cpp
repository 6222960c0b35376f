// Implements the switch between stacks. The sanitizers' calls are where their interface headers require them: the
// address sanitizer is told before and after a jump, the thread sanitizer immediately before.
#include "engine/exec/fiber.hpp"

#include "engine/exec/sanitizers.hpp"

#include <boost/context/detail/fcontext.hpp>
#include <boost/context/fixedsize_stack.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>

#include <cxxabi.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/tsan_interface.h>
#include <atomic>
#include <cstdlib>

namespace tilewright::exec {
namespace {

namespace fcontext = boost::context::detail;

/// What the C++ runtime keeps of a thread's exceptions (Itanium C++ ABI, section 2.2.2).
struct exception_state {
  void* caught;
  unsigned uncaught;
};

exception_state& exceptions_of_this_thread() { return *reinterpret_cast<exception_state*>(abi::__cxa_get_globals()); }

constexpr std::size_t stack_bytes = std::size_t(address_sanitizer || thread_sanitizer ? 512 : 128) * 1024;

// A guard page costs a mapping of its own, and Linux grants a process 65530 of them.
constexpr int max_guarded_stacks = 16 * 1024;
std::atomic<int> guarded_stacks{0};

// The top of each stack is what its fiber uses most. Stacks are a power of two apart, so without an offset of its own
// every fiber's top would map to the same few sets of the cache.
std::size_t stack_colour() {
  static std::atomic<unsigned> next{0};
  return (next.fetch_add(1, std::memory_order_relaxed) % 64) * std::size_t(64);
}

}  // namespace

void context::adopt_current_stack() {
  if constexpr (thread_sanitizer) thread_sanitizer_ = __tsan_get_current_fiber();
}

void context::arrive(void* jumped_from, void* previous_context, void* own_fake_stack) {
  auto& previous = *static_cast<context*>(previous_context);
  previous.resume_ = jumped_from;
  if constexpr (address_sanitizer) {
    __sanitizer_finish_switch_fiber(own_fake_stack, &previous.stack_bottom_, &previous.stack_bytes_);
  }
}

void switch_context(context& from, context& to) {
  auto& exceptions = exceptions_of_this_thread();
  exception_state const own = exceptions;
  from.target_ = &to;
  if constexpr (address_sanitizer) {
    __sanitizer_start_switch_fiber(&from.fake_stack_, to.stack_bottom_, to.stack_bytes_);
  }
  if constexpr (thread_sanitizer) __tsan_switch_to_fiber(to.thread_sanitizer_, 0);
  auto const came = fcontext::jump_fcontext(to.resume_, &from);
  from.arrive(came.fctx, came.data, from.fake_stack_);
  exceptions = own;
}

struct fiber::entry_point {
  static void enter(fcontext::transfer_t came) {
    fiber& self = *static_cast<fiber*>(static_cast<context*>(came.data)->target_);
    self.arrive(came.fctx, came.data, nullptr);
    auto& exceptions = exceptions_of_this_thread();
    while (self.finisher_ == nullptr) {
      exceptions = {};
      switch_context(self, self.run_(self.owner_, self));
    }
    context& last = *self.finisher_;
    if constexpr (address_sanitizer) {
      __sanitizer_start_switch_fiber(nullptr, last.stack_bottom_, last.stack_bytes_);
    }
    if constexpr (thread_sanitizer) __tsan_switch_to_fiber(last.thread_sanitizer_, 0);
    fcontext::jump_fcontext(last.resume_, static_cast<context*>(&self));
    std::abort();
  }
};

fiber::fiber(body run, void* owner) : run_(run), owner_(owner) {
  guarded_ = guarded_stacks.fetch_add(1, std::memory_order_relaxed) < max_guarded_stacks;
  if (guarded_) {
    stack_ = boost::context::protected_fixedsize_stack(stack_bytes).allocate();
  } else {
    guarded_stacks.fetch_sub(1, std::memory_order_relaxed);
    stack_ = boost::context::fixedsize_stack(stack_bytes).allocate();
  }
  auto const colour = stack_colour();
  auto* const top = static_cast<std::byte*>(stack_.sp) - colour;
  stack_bytes_ = stack_.size - colour;
  stack_bottom_ = top - stack_bytes_;
  resume_ = fcontext::make_fcontext(top, stack_bytes_, &entry_point::enter);
  if constexpr (thread_sanitizer) thread_sanitizer_ = __tsan_create_fiber(0);
}

fiber::~fiber() {
  context here;
  here.adopt_current_stack();
  finisher_ = &here;
  switch_context(here, *this);
  if constexpr (thread_sanitizer) __tsan_destroy_fiber(thread_sanitizer_);
  if (guarded_) {
    boost::context::protected_fixedsize_stack(stack_bytes).deallocate(stack_);
    guarded_stacks.fetch_sub(1, std::memory_order_relaxed);
  } else {
    boost::context::fixedsize_stack(stack_bytes).deallocate(stack_);
  }
}

}  // namespace tilewright::exec
