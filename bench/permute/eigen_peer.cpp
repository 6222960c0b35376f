// Eigen as a peer: Tensor::shuffle on a ThreadPoolDevice, and the transpose of a Matrix for two modes.
#include "party.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cstdint>
#include <unsupported/Eigen/CXX11/Tensor>

namespace tilewright::bench {
namespace {

constexpr int max_modes = 6;

/// The tensors in Eigen's words: column-major, mode i of the destination is mode shuffle[i] of the source.
struct permutation {
  std::vector<std::int64_t> extents;
  std::vector<int> shuffle;
};

/// pre: dense and joined, so that modes are in the order of their source strides
permutation permutation_of(modes const& all) {
  permutation out;
  for (mode const& m : all) {
    out.shuffle.push_back(static_cast<int>(out.extents.size()));
    out.extents.push_back(m.extent);
  }
  std::sort(out.shuffle.begin(), out.shuffle.end(),
            [&](int a, int b) { return all[static_cast<std::size_t>(a)].dst < all[static_cast<std::size_t>(b)].dst; });
  return out;
}

template <class Element, int Rank>
void shuffle(Eigen::ThreadPoolDevice const& device, permutation const& p, void const* src, void* dst) {
  using indices = Eigen::array<Eigen::Index, Rank>;
  indices from{}, to{};
  Eigen::array<int, Rank> order{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(Rank); ++i) {
    from[i] = p.extents[i];
    to[i] = p.extents[static_cast<std::size_t>(p.shuffle[i])];
    order[i] = p.shuffle[i];
  }
  Eigen::TensorMap<Eigen::Tensor<Element const, Rank>> const source(static_cast<Element const*>(src), from);
  Eigen::TensorMap<Eigen::Tensor<Element, Rank>> target(static_cast<Element*>(dst), to);
  target.device(device) = source.shuffle(order);
}

template <class Element>
void shuffle_any(Eigen::ThreadPoolDevice const& device, permutation const& p, void const* src, void* dst) {
  switch (p.extents.size()) {
    case 1: return shuffle<Element, 1>(device, p, src, dst);
    case 2: return shuffle<Element, 2>(device, p, src, dst);
    case 3: return shuffle<Element, 3>(device, p, src, dst);
    case 4: return shuffle<Element, 4>(device, p, src, dst);
    case 5: return shuffle<Element, 5>(device, p, src, dst);
    default: return shuffle<Element, max_modes>(device, p, src, dst);
  }
}

template <class Element>
void transpose(permutation const& p, void const* src, void* dst) {
  using matrix = Eigen::Matrix<Element, Eigen::Dynamic, Eigen::Dynamic>;
  Eigen::Map<matrix const> const source(static_cast<Element const*>(src), p.extents[0], p.extents[1]);
  Eigen::Map<matrix> target(static_cast<Element*>(dst), p.extents[1], p.extents[0]);
  target.noalias() = source.transpose();
}

class eigen_peer : public local_party {
 public:
  std::string prepare(work const& job) override {
    job_ = job;
    modes const all = joined(job.all);
    if (!is_dense(job.all)) return "Eigen's tensors are dense";
    if (all.empty() || all.size() > max_modes) return "1 to 6 modes are compiled";
    if (job.one->element_bytes() > 8) return "elements of at most 64 bits are compiled";
    permutation_ = permutation_of(all);
    return {};
  }

 protected:
  permutation permutation_;
};

class eigen_tensor final : public eigen_peer {
 public:
  std::string name() const override { return "eigen"; }
  std::string prepare(work const& job) override {
    int const threads = job.threads->threads();
    if (pool_ == nullptr || pool_->NumThreads() != threads) {
      device_.reset();
      pool_ = std::make_unique<Eigen::ThreadPool>(threads);
      device_ = std::make_unique<Eigen::ThreadPoolDevice>(pool_.get(), threads);
    }
    return eigen_peer::prepare(job);
  }

 protected:
  void copy() override {
    switch (job_.one->element_bytes()) {
      case 1: return shuffle_any<std::uint8_t>(*device_, permutation_, job_.src.data(), job_.dst.data());
      case 2: return shuffle_any<std::uint16_t>(*device_, permutation_, job_.src.data(), job_.dst.data());
      case 4: return shuffle_any<float>(*device_, permutation_, job_.src.data(), job_.dst.data());
      default: return shuffle_any<double>(*device_, permutation_, job_.src.data(), job_.dst.data());
    }
  }

 private:
  std::unique_ptr<Eigen::ThreadPool> pool_;
  std::unique_ptr<Eigen::ThreadPoolDevice> device_;
};

class eigen_matrix final : public eigen_peer {
 public:
  std::string name() const override { return "eigen matrix"; }
  std::string prepare(work const& job) override {
    std::string const reason = eigen_peer::prepare(job);
    if (!reason.empty()) return reason;
    return permutation_.shuffle == std::vector{1, 0} ? "" : "no transpose of a matrix";
  }

 protected:
  void copy() override {
    switch (job_.one->element_bytes()) {
      case 1: return transpose<std::uint8_t>(permutation_, job_.src.data(), job_.dst.data());
      case 2: return transpose<std::uint16_t>(permutation_, job_.src.data(), job_.dst.data());
      case 4: return transpose<float>(permutation_, job_.src.data(), job_.dst.data());
      default: return transpose<double>(permutation_, job_.src.data(), job_.dst.data());
    }
  }
};

}  // namespace

std::unique_ptr<party> make_eigen() { return std::make_unique<eigen_tensor>(); }
std::unique_ptr<party> make_eigen_matrix() { return std::make_unique<eigen_matrix>(); }

}  // namespace tilewright::bench
