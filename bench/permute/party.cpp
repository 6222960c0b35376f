#include "party.hpp"

#include "bench/support/reference.hpp"
#include "tilewright/engine/copy.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace tilewright::bench {

std::optional<std::size_t> party::first_difference(std::span<std::byte const> want) {
  if (std::memcmp(job_.dst.data(), want.data(), want.size()) == 0) return {};
  auto const at = std::mismatch(want.begin(), want.end(), job_.dst.begin()).first;
  return static_cast<std::size_t>(at - want.begin());
}

void party::poison_destination() { std::memset(job_.dst.data(), std::to_integer<int>(poison), job_.dst.size()); }

double local_party::run(int repeats) {
  auto const began = std::chrono::steady_clock::now();
  for (int i = 0; i < repeats; ++i) copy();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

namespace {

class library : public local_party {
 public:
  std::string name() const override { return "tilewright"; }
  std::string prepare(work const& job) override {
    job_ = job;
    src_ = {job.src_start(), composed(job.one->src), job.one->element, cpu};
    dst_ = {job.dst_start(), composed(job.one->dst), job.one->element, cpu};
    options_.threads = job.threads->threads();
    return {};
  }

 protected:
  void copy() override { tilewright::copy(src_, dst_, options_); }

  const_tensor_view src_;
  tensor_view dst_;
  copy_options options_;
};

class library_plan final : public library {
 public:
  std::string name() const override { return "plan"; }
  std::string prepare(work const& job) override {
    library::prepare(job);
    plan_ = plan_for(src_, dst_, options_);
    return {};
  }

 protected:
  void copy() override { tilewright::run(plan_, src_.pointer, dst_.pointer, options_); }

 private:
  copy_plan plan_;
};

class memcpy_party : public local_party {
 public:
  std::string name() const override { return "memcpy"; }
  std::string prepare(work const& job) override {
    job_ = job;
    from_ = job.same_bytes.empty() ? job.src : job.same_bytes;
    bytes_ = std::min(from_.size(), job.dst.size());
    return {};
  }

 protected:
  void copy() override { memcpy_by(*job_.threads, job_.dst.data(), from_.data(), bytes_); }

  std::span<std::byte const> from_;
  std::size_t bytes_ = 0;
};

class streaming_party final : public memcpy_party {
 public:
  std::string name() const override { return "streaming stores"; }

 protected:
  void copy() override { stream_by(*job_.threads, job_.dst.data(), from_.data(), bytes_); }
};

class naive final : public local_party {
 public:
  std::string name() const override { return "naive"; }
  std::string prepare(work const& job) override {
    job_ = job;
    return {};
  }

 protected:
  void copy() override { copy_naively(job_.all, job_.one->element_bytes(), job_.src_start(), job_.dst_start()); }
};

}  // namespace

std::unique_ptr<party> make_library() { return std::make_unique<library>(); }
std::unique_ptr<party> make_library_plan() { return std::make_unique<library_plan>(); }
std::unique_ptr<party> make_memcpy() { return std::make_unique<memcpy_party>(); }
std::unique_ptr<party> make_streaming() { return std::make_unique<streaming_party>(); }
std::unique_ptr<party> make_naive() { return std::make_unique<naive>(); }

}  // namespace tilewright::bench
