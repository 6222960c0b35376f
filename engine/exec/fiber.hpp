// Stacks that take turns on one worker thread, and the switch between them. Boost.Context supplies the jump; around it
// the switch keeps what belongs to a stack but is stored in the thread: the exceptions being handled, and what the
// sanitizers know of the stack.
#pragma once

#include <boost/context/stack_context.hpp>

#include <cstddef>

namespace tilewright::exec {

class fiber;

/// A point where control can go: a fiber, or the worker's own stack.
class context {
 public:
  context() = default;
  context(context const&) = delete;
  context& operator=(context const&) = delete;

  /// Call before the first switch away from a stack that is not a fiber's.
  void adopt_current_stack();

  friend void switch_context(context& from, context& to);

 private:
  friend class fiber;

  void arrive(void* jumped_from, void* previous_context, void* own_fake_stack);

  void* resume_ = nullptr;              // where the jump into this context lands
  context* target_ = nullptr;           // where the last jump out of it went
  void const* stack_bottom_ = nullptr;  // as the address sanitizer wants it
  std::size_t stack_bytes_ = 0;
  void* fake_stack_ = nullptr;
  void* thread_sanitizer_ = nullptr;
};

/// Continues in `to`; returns when something switches to `from`.
/// pre: runs on `from`, on the thread where `to` last ran. cost: a few nanoseconds
void switch_context(context& from, context& to);

/// A stack that runs body(owner, self) each time it is switched to afresh, and continues where body says.
class fiber : public context {
 public:
  using body = context& (*)(void* owner, fiber& self);

  fiber(body run, void* owner);
  /// pre: body has returned, and this thread is the one it ran on
  ~fiber();

  int thread = -1;                  // of the block, while it waits
  char const* operation = nullptr;  // that it has yielded in; null if it may go on without

 private:
  struct entry_point;

  body run_;
  void* owner_;
  context* finisher_ = nullptr;  // where the destructor waits for the body's loop to end
  bool guarded_ = false;
  boost::context::stack_context stack_;
};

}  // namespace tilewright::exec
