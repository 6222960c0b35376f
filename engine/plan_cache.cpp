// A hash table behind a shared mutex. Its keys are the layouts' numbers in a string, so that comparing them is comparing
// bytes.
#include "engine/plan_cache.hpp"

#include "engine/this_machine.hpp"

#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>

namespace tilewright::engine {
namespace {

/// Plans are small; this many take a few megabytes. A program that makes more different ones starts anew.
constexpr std::size_t most_plans = 4096;

void append(std::string& out, std::int64_t x) { out.append(reinterpret_cast<char const*>(&x), sizeof x); }

void append(std::string& out, composed_value const& a) {
  append(out, a.swizzle.bits);
  append(out, a.swizzle.base);
  append(out, a.swizzle.shift);
  append(out, a.offset.number);
  append(out, a.offset.flags);
  append(out, a.layout.leaves);
  append(out, a.layout.nodes);
  if (a.layout.overflowed()) return;
  for (int i = 0; i < a.layout.leaves; ++i) {
    append(out, a.layout.shape[i].number);
    append(out, a.layout.stride[i].number);
    out += static_cast<char>(a.layout.shape[i].flags != 0 || a.layout.stride[i].flags != 0);
  }
  out.append(reinterpret_cast<char const*>(a.layout.profile), static_cast<std::size_t>(a.layout.nodes));
}

struct plan_table {
  std::shared_mutex mutex;
  std::unordered_map<std::string, std::shared_ptr<ready_plan const>> plans;

  void store(std::string const& key, std::shared_ptr<ready_plan const> plan) {
    std::unique_lock const lock(mutex);
    if (plans.size() >= most_plans) plans.clear();
    plans.insert_or_assign(key, std::move(plan));
  }
};

plan_table& table() {
  static plan_table all;
  return all;
}

}  // namespace

std::string text_of(plan_key const& key) {
  std::string out;
  out.reserve(512);
  append(out, key.request.src);
  append(out, key.request.dst);
  append(out, key.request.element_bits);
  append(out, key.request.src_alignment);
  append(out, key.request.dst_alignment);
  append(out, static_cast<std::int64_t>(key.where.kind));
  append(out, key.where.ordinal);
  append(out, key.threads);
  return out;
}

std::shared_ptr<ready_plan const> make_ready(copy_plan plan, device where) {
  auto out = std::make_shared<ready_plan>();
  out->plan = std::move(plan);
  if (out->plan.moves.elements == 0) return out;
  if (where.kind == device_kind::cpu) out->program = cpu_engine::compile(out->plan);
  else out->prepared = gpu::engine_of(where.ordinal).prepare(out->plan);
  return out;
}

std::shared_ptr<ready_plan const> ready_for(plan_key const& key) {
  std::string const text = text_of(key);
  plan_table& all = table();
  {
    std::shared_lock const lock(all.mutex);
    auto const found = all.plans.find(text);
    if (found != all.plans.end()) return found->second;
  }
  auto made = make_ready(plan_copy(key.request, unmeasured_machine(key.where, key.threads)), key.where);
  all.store(text, made);
  return made;
}

void keep(plan_key const& key, std::shared_ptr<ready_plan const> plan) { table().store(text_of(key), std::move(plan)); }

}  // namespace tilewright::engine
