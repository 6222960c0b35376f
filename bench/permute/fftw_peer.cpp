// FFTW as a peer: a transform of rank 0 in the guru interface, which copies between strides, of float (4 bytes), double (8)
// and complex double (16). Rank-0 plans are made by estimation: there is little to measure in them.
#include "party.hpp"

#include <fftw3.h>
#include <fmt/core.h>
#include <algorithm>
#include <cstdlib>

namespace tilewright::bench {
namespace {

/// Slowest mode of the destination first. Strides of the source may be negative or 0.
template <class Dimension>
std::vector<Dimension> dimensions_of(modes const& all) {
  modes order = all;
  std::sort(order.begin(), order.end(), [](mode const& a, mode const& b) { return std::abs(a.dst) > std::abs(b.dst); });
  std::vector<Dimension> out;
  for (mode const& m : order) out.push_back({m.extent, m.src, m.dst});
  return out;
}

class fftw final : public local_party {
 public:
  ~fftw() override { forget(); }
  std::string name() const override { return "fftw"; }

  std::string prepare(work const& job) override {
    job_ = job;
    forget();
    int const bytes = job.one->element_bytes();
    auto* const src = const_cast<std::byte*>(job.src_start());
    auto* const dst = job.dst_start();
    auto const dims = dimensions_of<fftw_iodim64>(job.all);
    auto const rank = static_cast<int>(dims.size());
    if (bytes == 4) {
      auto const of_floats = dimensions_of<fftwf_iodim64>(job.all);
      single_ = fftwf_plan_guru64_r2r(0, nullptr, rank, of_floats.data(), reinterpret_cast<float*>(src),
                                      reinterpret_cast<float*>(dst), nullptr, FFTW_ESTIMATE);
    } else if (bytes == 8) {
      double_ = fftw_plan_guru64_r2r(0, nullptr, rank, dims.data(), reinterpret_cast<double*>(src),
                                     reinterpret_cast<double*>(dst), nullptr, FFTW_ESTIMATE);
    } else if (bytes == 16) {
      double_ = fftw_plan_guru64_dft(0, nullptr, rank, dims.data(), reinterpret_cast<fftw_complex*>(src),
                                     reinterpret_cast<fftw_complex*>(dst), FFTW_FORWARD, FFTW_ESTIMATE);
    } else {
      return fmt::format("no type of {} bytes", bytes);
    }
    return single_ == nullptr && double_ == nullptr ? "FFTW has no plan for these strides" : "";
  }

 protected:
  void copy() override {
    if (single_ != nullptr) fftwf_execute(single_);
    else fftw_execute(double_);
  }

 private:
  void forget() {
    if (single_ != nullptr) fftwf_destroy_plan(single_);
    if (double_ != nullptr) fftw_destroy_plan(double_);
    single_ = nullptr;
    double_ = nullptr;
  }

  fftwf_plan single_ = nullptr;
  fftw_plan double_ = nullptr;
};

}  // namespace

std::unique_ptr<party> make_fftw() { return std::make_unique<fftw>(); }

}  // namespace tilewright::bench
