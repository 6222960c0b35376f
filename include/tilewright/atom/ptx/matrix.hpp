// ldmatrix and stmatrix (PTX ISA, "Warp-level matrix load instruction: ldmatrix", sm_75, and "Warp-level matrix store
// instruction: stmatrix", sm_90): 8x8 matrices of 16-bit elements between shared memory, a row of 16 bytes for each
// address, and the registers of a warp, 32 bits of each matrix for each thread.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/target.hpp"

namespace tilewright::ptx {

#if TILEWRIGHT_ON_DEVICE

template <int Matrices, bool Transposed>
TILEWRIGHT_FN void ldmatrix(void const* row, std::uint32_t (&r)[Matrices]) {
#if __CUDA_ARCH__ >= 750
  std::uint32_t const p = cast_smem_ptr_to_uint(row);
  if constexpr (Matrices == 1 && !Transposed) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(p) : "memory");
  } else if constexpr (Matrices == 1) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(p) : "memory");
  } else if constexpr (Matrices == 2 && !Transposed) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(p)
                 : "memory");
  } else if constexpr (Matrices == 2) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(p)
                 : "memory");
  } else if constexpr (!Transposed) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(p)
                 : "memory");
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(p)
                 : "memory");
  }
#else
  refuse("ldmatrix needs compute capability 7.5; compile for sm_75 or later, or use UniversalCopy");
#endif
}

/// An 8x8 matrix of 16-bit elements in the registers of a warp, transposed.
TILEWRIGHT_FN std::uint32_t movmatrix(std::uint32_t from) {
  std::uint32_t to = 0;
#if __CUDA_ARCH__ >= 750
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(to) : "r"(from));
#else
  refuse("movmatrix needs compute capability 7.5; compile for sm_75 or later");
#endif
  return to;
}

template <int Matrices, bool Transposed>
TILEWRIGHT_FN void stmatrix(void* row, std::uint32_t const (&r)[Matrices]) {
#if __CUDA_ARCH__ >= 900
  std::uint32_t const p = cast_smem_ptr_to_uint(row);
  if constexpr (Matrices == 1 && !Transposed) {
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(p), "r"(r[0]) : "memory");
  } else if constexpr (Matrices == 1) {
    asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(p), "r"(r[0]) : "memory");
  } else if constexpr (Matrices == 2 && !Transposed) {
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(p), "r"(r[0]), "r"(r[1]) : "memory");
  } else if constexpr (Matrices == 2) {
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(p), "r"(r[0]), "r"(r[1])
                 : "memory");
  } else if constexpr (!Transposed) {
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(p), "r"(r[0]), "r"(r[1]),
                 "r"(r[2]), "r"(r[3])
                 : "memory");
  } else {
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(p), "r"(r[0]),
                 "r"(r[1]), "r"(r[2]), "r"(r[3])
                 : "memory");
  }
#else
  refuse("stmatrix needs compute capability 9.0; compile for sm_90 or later, or use UniversalCopy");
#endif
}

#endif

}  // namespace tilewright::ptx
