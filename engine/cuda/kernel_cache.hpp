// Compiled kernels, each made once: found in the process, else in the folder of compiled kernels, else compiled. Any
// number of threads may ask at once; those that ask for a kernel in the making wait for it.
#pragma once

#include "engine/cuda/disk_cache.hpp"

#include <functional>
#include <future>
#include <memory>
#include <shared_mutex>
#include <string>
#include <unordered_map>

namespace tilewright::gpu {

/// Everything that a kernel's machine code depends on, as one text.
class kernel_key {
 public:
  explicit kernel_key(std::string text) : text_(std::move(text)), hash_(fnv1a(text_)) {}
  std::string const& text() const { return text_; }
  std::size_t hash() const { return static_cast<std::size_t>(hash_); }
  friend bool operator==(kernel_key const& a, kernel_key const& b) { return a.hash_ == b.hash_ && a.text_ == b.text_; }

 private:
  std::string text_;
  std::uint64_t hash_;
};

/// `Value` is what a process keeps of a kernel, such as a loaded library; the folder keeps its code.
template <class Value>
class kernel_cache {
 public:
  using pointer = std::shared_ptr<Value const>;

  explicit kernel_cache(disk_cache disk) : disk_(std::move(disk)) {}

  /// compile() gives the code when no folder has it; load(code) makes the value of it. Code from the folder that does not
  /// load is compiled again. Both run at most once for a key at a time, outside of any lock on other keys; what they
  /// throw, all that wait get, and the next to ask tries again.
  /// cost: of a kernel that is there, well below a microsecond
  pointer get(kernel_key const& key, std::function<std::string()> const& compile,
              std::function<pointer(std::string const&)> const& load) {
    if (auto const found = find(key); found.valid()) return found.get();
    std::promise<pointer> promise;
    future made;
    bool is_new = false;
    {
      std::unique_lock const lock(mutex_);
      auto const inserted = entries_.try_emplace(key, promise.get_future().share());
      made = inserted.first->second;
      is_new = inserted.second;
    }
    if (!is_new) return made.get();
    try {
      pointer value = make(key, compile, load);
      promise.set_value(value);
      return value;
    } catch (...) {
      {
        std::unique_lock const lock(mutex_);
        entries_.erase(key);
      }
      promise.set_exception(std::current_exception());
      throw;
    }
  }

  disk_cache const& disk() const { return disk_; }

 private:
  using future = std::shared_future<pointer>;
  struct hash {
    std::size_t operator()(kernel_key const& key) const { return key.hash(); }
  };

  future find(kernel_key const& key) const {
    std::shared_lock const lock(mutex_);
    auto const at = entries_.find(key);
    return at == entries_.end() ? future() : at->second;
  }

  pointer make(kernel_key const& key, std::function<std::string()> const& compile,
               std::function<pointer(std::string const&)> const& load) {
    if (auto const kept = disk_.load(key.text())) {
      try {
        return load(*kept);
      } catch (std::exception const&) {
        // Intact, but not for this driver: as good as absent.
      }
    }
    std::string const code = compile();
    pointer value = load(code);
    disk_.store(key.text(), code);
    return value;
  }

  disk_cache disk_;
  mutable std::shared_mutex mutex_;
  std::unordered_map<kernel_key, future, hash> entries_;
};

}  // namespace tilewright::gpu
