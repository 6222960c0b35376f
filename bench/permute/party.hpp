// Who takes part in the benchmark: the library, memcpy, the naive loop and the peers, behind one interface.
#pragma once

#include "bench/support/team.hpp"
#include "case.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace tilewright::bench {

/// One case with its memory.
struct work {
  permute_case const* one = nullptr;
  modes all;
  std::span<std::byte const> src;  // the whole buffers
  std::span<std::byte> dst;
  std::span<std::byte const>
      same_bytes{};  // as many bytes of other memory as are copied, for memcpy; empty: the source
  team* threads = nullptr;

  /// Coordinate (0, 0, ...) of each side.
  std::byte const* src_start() const { return src.data() + one->src_offset * one->element_bytes(); }
  std::byte* dst_start() const { return dst.data() + one->dst_offset * one->element_bytes(); }
};

class party {
 public:
  party() = default;
  party(party const&) = delete;
  party& operator=(party const&) = delete;
  virtual ~party() = default;

  virtual std::string name() const = 0;
  /// Makes everything ready that need not be done for each copy. The work stays valid until the next call.
  /// post: empty, or a few words on why this party cannot take part
  virtual std::string prepare(work const& job) = 0;
  /// Copies `repeats` times.
  /// post: the seconds that took, together
  virtual double run(int repeats) = 0;
  /// The first byte of the destination that differs from `want`.
  virtual std::optional<std::size_t> first_difference(std::span<std::byte const> want);
  /// Overwrites the destination.
  virtual void poison_destination();

 protected:
  work job_;
};

/// A party that copies within this process: measured by the clock around it.
class local_party : public party {
 public:
  double run(int repeats) final;

 protected:
  virtual void copy() = 0;
};

/// tilewright::copy(), with the plan in the library's cache.
std::unique_ptr<party> make_library();
/// tilewright::run() of a given plan: what is left of a call without its checks and the search in the cache.
std::unique_ptr<party> make_library_plan();
std::unique_ptr<party> make_memcpy();     // of as many bytes as the case copies
std::unique_ptr<party> make_streaming();  // the same, with stores past the caches
std::unique_ptr<party> make_naive();

/// These return nothing where the library was not found when the benchmark was built.
std::unique_ptr<party> make_eigen();         // Tensor::shuffle with as many threads
std::unique_ptr<party> make_eigen_matrix();  // Matrix = Matrix.transpose(), one thread as Eigen does it
std::unique_ptr<party> make_onednn();        // reorder with as many threads
std::unique_ptr<party> make_fftw();  // a transform of rank 0: a copy between strides; one thread, as FFTW does it

/// numpy.copyto in a process of its own; `script` is numpy_child.py. One thread, as NumPy does it.
/// error: std::runtime_error when the process cannot be started
std::unique_ptr<party> make_numpy(std::string const& python, std::string const& script);

}  // namespace tilewright::bench
