// A hash table behind a shared mutex, whose keys are the layouts' numbers in a string; and before it, for each thread, the
// last few questions with their plans, which are compared number by number and need neither string, hash nor lock.
#include "engine/plan_cache.hpp"

#include "engine/this_machine.hpp"
#include "engine/trial.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tilewright::engine {
namespace {

/// Plans are small; this many take a few megabytes. A program that makes more different ones starts anew.
constexpr std::size_t max_plans = 4096;

constexpr std::int64_t pair_of(int low, int high) {
  return static_cast<std::int64_t>(std::uint64_t{static_cast<std::uint32_t>(high)} << 32 |
                                   static_cast<std::uint32_t>(low));
}

/// Hands every number that a plan depends on to `to`, in an order that tells questions apart.
template <class Numbers>
void tell(Numbers& to, composed_value const& a) {
  layout_value const& l = a.layout;
  to.add(pair_of(l.leaves, l.nodes));
  to.add(pair_of(a.swizzle.bits, a.swizzle.base));
  to.add(pair_of(a.swizzle.shift, a.offset.flags));
  to.add(a.offset.number);
  if (l.overflowed()) return;
  static_assert(int_tree::leaf_capacity <= 64);
  std::uint64_t run_time = 0;  // the leaves that are known at run time only
  for (int i = 0; i < l.leaves; ++i) {
    to.add(l.shape[i].number);
    to.add(l.stride[i].number);
    run_time |= std::uint64_t{(l.shape[i].flags | l.stride[i].flags) != 0} << i;
  }
  to.add(static_cast<std::int64_t>(run_time));
  static_assert(int_tree::node_capacity % 8 == 0 && sizeof l.profile[0] == 1);
  for (int i = 0; i < l.nodes; i += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, l.profile + i, 8);
    if (l.nodes - i < 8) eight &= (std::uint64_t{1} << (8 * (l.nodes - i))) - 1;
    to.add(static_cast<std::int64_t>(eight));
  }
}
template <class Numbers>
void tell(Numbers& to, plan_question const& q) {
  tell(to, q.src);
  tell(to, q.dst);
  to.add(pair_of(q.element_bits, static_cast<int>(q.where.kind)));
  to.add(pair_of(q.where.ordinal, q.threads));
  to.add(q.src_alignment);
  to.add(q.dst_alignment);
}

struct numbers_in_text {
  void add(std::int64_t x) { text.append(reinterpret_cast<char const*>(&x), sizeof x); }
  std::string text;
};

struct numbers_in_vector {
  void add(std::int64_t x) { all.push_back(x); }
  std::vector<std::int64_t> all;
};

/// Are they the numbers of `all`? pre: no more of them than those
class same_numbers {
 public:
  explicit same_numbers(std::vector<std::int64_t> const& all) : at_(all.data()) {}
  void add(std::int64_t x) { differences_ |= *at_++ ^ x; }
  bool hold() const { return differences_ == 0; }

 private:
  std::int64_t const* at_;
  std::int64_t differences_ = 0;
};

/// What says how many numbers a question has.
struct question_size {
  question_size() = default;
  explicit question_size(plan_question const& q)
      : src(pair_of(q.src.layout.leaves, q.src.layout.nodes)),
        dst(pair_of(q.dst.layout.leaves, q.dst.layout.nodes)) {}
  std::int64_t src = 0, dst = 0;
  friend bool operator==(question_size const&, question_size const&) = default;
};

std::string text_of(plan_question const& question) {
  numbers_in_text out;
  out.text.reserve(512);
  tell(out, question);
  return std::move(out.text);
}

struct plan_table {
  std::shared_mutex mutex;
  std::unordered_map<std::string, std::shared_ptr<ready_plan const>> plans;

  /// Null if there is none.
  std::shared_ptr<ready_plan const> find(std::string const& key) {
    std::shared_lock const lock(mutex);
    auto const found = plans.find(key);
    return found == plans.end() ? nullptr : found->second;
  }
  void store(std::string const& key, std::shared_ptr<ready_plan const> plan) {
    std::unique_lock const lock(mutex);
    if (plans.size() >= max_plans) plans.clear();
    bool const is_new = plans.insert_or_assign(key, std::move(plan)).second;
    if (!is_new) edition.fetch_add(1, std::memory_order_release);
  }
  std::atomic<std::uint64_t> edition{0};  // how often a plan took the place of one that a thread may remember
};

plan_table& table() {
  static plan_table all;
  return all;
}

/// The last few questions of a thread.
class recent_plans {
 public:
  std::shared_ptr<ready_plan const> find(plan_question const& question, std::uint64_t edition) {
    question_size const size(question);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      entry const& e = entries_[(latest_ + i) % entries_.size()];  // mostly it is the same one
      if (!e.plan || e.edition != edition || e.size != size) continue;
      same_numbers same(e.question);
      tell(same, question);
      if (!same.hold()) continue;
      latest_ = (latest_ + i) % entries_.size();
      return e.plan;
    }
    return nullptr;
  }
  void add(plan_question const& question, std::uint64_t edition, std::shared_ptr<ready_plan const> plan) {
    numbers_in_vector numbers;
    tell(numbers, question);
    latest_ = (latest_ + entries_.size() - 1) % entries_.size();  // in the place of the one that find() tries last
    entries_[latest_] = {std::move(numbers.all), question_size(question), edition, std::move(plan)};
  }

 private:
  struct entry {
    std::vector<std::int64_t> question;
    question_size size;
    std::uint64_t edition = 0;
    std::shared_ptr<ready_plan const> plan;
  };
  std::array<entry, 4> entries_;
  std::size_t latest_ = 0;
};

std::shared_ptr<ready_plan const> from_table(plan_question const& question) {
  std::string const text = text_of(question);
  if (auto found = table().find(text)) return found;
  plan_key const key = question.key();
  auto made = make_ready(plan_copy(key.request, unmeasured_machine(key.where, key.threads)), key.where);
  if (auto trial = trial_of(key, made->plan)) {
    auto tried = std::make_shared<ready_plan>(*made);
    tried->trial = std::move(trial);
    made = std::move(tried);
  }
  table().store(text, made);
  return made;
}

}  // namespace

std::string text_of(plan_key const& key) {
  copy_request const& r = key.request;
  return text_of(plan_question{r.src, r.dst, r.element_bits, r.src_alignment, r.dst_alignment, key.where, key.threads});
}

std::shared_ptr<ready_plan const> kept_for(plan_key const& key) { return table().find(text_of(key)); }

std::shared_ptr<ready_plan const> make_ready(copy_plan plan, device where) {
  auto out = std::make_shared<ready_plan>();
  out->plan = std::move(plan);
  if (out->plan.moves.elements == 0) return out;
  out->reach = reach_of(out->plan.moves);
  if (where.kind == device_kind::cpu) out->program = cpu_engine::compile(out->plan);
  else out->prepared = gpu::engine_of(where.ordinal).prepare(out->plan);
  return out;
}

std::shared_ptr<ready_plan const> ready_on_cpu(copy_plan const& plan) {
  thread_local std::shared_ptr<ready_plan const> last;
  if (last && last->plan == plan) return last;
  static std::shared_mutex mutex;
  static std::unordered_multimap<std::size_t, std::shared_ptr<ready_plan const>> all;
  std::size_t const hash = hash_of(plan);
  auto const find = [&]() -> std::shared_ptr<ready_plan const> {
    auto const [begin, end] = all.equal_range(hash);
    auto const found = std::find_if(begin, end, [&](auto const& entry) { return entry.second->plan == plan; });
    return found == end ? nullptr : found->second;
  };
  {
    std::shared_lock const lock(mutex);
    last = find();
  }
  if (last) return last;
  auto made = make_ready(plan, cpu);
  std::unique_lock const lock(mutex);
  last = find();  // another thread may have been quicker
  if (last) return last;
  if (all.size() >= max_plans) all.clear();
  all.emplace(hash, made);
  return last = std::move(made);
}

std::shared_ptr<ready_plan const> ready_for(plan_question const& question) {
  thread_local recent_plans recent;
  // Read before the table is, so that a plan that takes another's place meanwhile makes this one out of date.
  std::uint64_t const edition = table().edition.load(std::memory_order_acquire);
  if (auto found = recent.find(question, edition)) return found;
  auto out = from_table(question);
  recent.add(question, edition, out);
  return out;
}

void keep(plan_key const& key, std::shared_ptr<ready_plan const> plan) { table().store(text_of(key), std::move(plan)); }

}  // namespace tilewright::engine
