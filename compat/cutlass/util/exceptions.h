// What the helpers of cutlass/util throw where a call of CUDA's runtime fails.
#pragma once

#include "tilewright/base/config.hpp"

#if __has_include(<cuda_runtime_api.h>)
#include <cuda_runtime_api.h>
#include <exception>
#include <ostream>

namespace cutlass {

class cuda_exception : public std::exception {
 public:
  explicit cuda_exception(char const* sentence = "", cudaError_t error = cudaErrorUnknown)
      : sentence_(sentence),
        error_(error) {}

  cudaError_t cudaError() const { return error_; }
  char const* what() const noexcept override { return sentence_; }

 private:
  char const* sentence_;
  cudaError_t error_;
};

inline std::ostream& operator<<(std::ostream& out, cuda_exception const& e) {
  return out << e.what() << ": " << cudaGetErrorString(e.cudaError());
}

}  // namespace cutlass
#endif
