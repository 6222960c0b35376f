// Plans of the C interface: made for tensors or for a machine by name, explained, run.
#include "engine/c_api/handles.hpp"

#include <algorithm>
#include <memory>

namespace tilewright::c_api {
namespace {

constexpr std::int64_t max_alignment = 64;  // bytes; a plan makes use of no more than a cache line

std::int64_t alignment_of(void const* pointer) {
  auto const address = reinterpret_cast<std::uintptr_t>(pointer);
  return address == 0 ? max_alignment : std::min(max_alignment, static_cast<std::int64_t>(address & (~address + 1)));
}

template <class F>
tw_error create(tw_plan** out, char const* function, F const& fill) noexcept {
  return guarded([&] {
    tw_plan*& to = required(out, function, "out");
    to = nullptr;
    auto made = std::make_unique<tw_plan>();
    fill(*made);
    to = made.release();
  });
}

/// The text, made by the first caller.
template <class Make>
char const* text_of(tw_plan const& plan, std::string& kept, Make const& make) {
  std::lock_guard const lock(plan.guard);
  if (kept.empty()) kept = make(plan.plan);
  return kept.c_str();
}

/// Is a pointer as aligned as a plan needs?  error: copy_error bad_pointer
void check(void const* pointer, std::int64_t alignment, char const* argument) {
  if (pointer == nullptr)
    throw copy_error(copy_errc::bad_pointer, fmt::format("tw_plan_run: {} is a null pointer", argument));
  if (alignment_of(pointer) < alignment)
    throw copy_error(
        copy_errc::bad_pointer,
        fmt::format("tw_plan_run: {} is aligned to {} bytes and the plan was made for {}; make a plan for it", argument,
                    alignment_of(pointer), alignment));
}

}  // namespace
}  // namespace tilewright::c_api

using namespace tilewright::c_api;

extern "C" {

tw_error tw_plan_create(tw_tensor const* src, tw_tensor const* dst, tw_copy_options const* options, tw_plan** out) {
  return create(out, "tw_plan_create", [&](tw_plan& made) {
    auto const from = read_tensor(src, "tw_plan_create", "src"), to = read_tensor(dst, "tw_plan_create", "dst");
    made.plan = tilewright::plan_for(from, to, read_options(options, "tw_plan_create"));
    made.can_run = true;
    made.src_alignment = alignment_of(from.pointer);
    made.dst_alignment = alignment_of(to.pointer);
  });
}

tw_error tw_plan_create_for(tw_layout const* src, tw_layout const* dst, tw_element element, char const* machine,
                            tw_plan** out) {
  return create(out, "tw_plan_create_for", [&](tw_plan& made) {
    char const* const function = "tw_plan_create_for";
    int const bits = tilewright::bits_of(read_element(element, function));
    made.plan =
        tilewright::plan_copy({required(src, function, "src").value, required(dst, function, "dst").value, bits},
                              tilewright::machine_named(&required(machine, function, "machine")));
  });
}

char const* tw_plan_explain(tw_plan const* plan) {
  char const* text = nullptr;
  (void)guarded([&] {
    tw_plan const& p = required(plan, "tw_plan_explain", "plan");
    text = text_of(p, p.explanation, [](auto const& made) { return tilewright::explain(made); });
  });
  return text;
}

char const* tw_plan_json(tw_plan const* plan) {
  char const* text = nullptr;
  (void)guarded([&] {
    tw_plan const& p = required(plan, "tw_plan_json", "plan");
    text = text_of(p, p.json, [](auto const& made) { return tilewright::to_json(made); });
  });
  return text;
}

tw_error tw_plan_run(tw_plan const* plan, void const* src, void* dst, tw_copy_options const* options) {
  return guarded([&] {
    tw_plan const& p = required(plan, "tw_plan_run", "plan");
    if (!p.can_run)
      throw tilewright::copy_error(tilewright::copy_errc::bad_option,
                                   "tw_plan_run: the plan was made for a machine by name and can only be looked at; "
                                   "tw_plan_create makes one to run");
    check(src, p.src_alignment, "src");
    check(dst, p.dst_alignment, "dst");
    tilewright::run(p.plan, src, dst, read_options(options, "tw_plan_run"));
  });
}

void tw_plan_destroy(tw_plan* plan) { delete plan; }

}  // extern "C"
