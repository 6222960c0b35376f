// Blackwell's tensor memory and products (PTX ISA, "TensorCore 5th Generation Family Instructions: tcgen05"; sm_100a and its
// family): allocating columns, moving them from and to registers and from shared memory, multiplying matrices in them, and
// telling a barrier when that is done. Blocks: 1, or 2 where two blocks of a cluster work together. CUDA 12.8 or later.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/chars.hpp"
#include "tilewright/atom/ptx/target.hpp"

namespace tilewright::ptx {

/// How tcgen05.ld and tcgen05.st spread lanes and columns over a warp: 32 lanes of 32 bits, 16 of 64, 128 or 256, or 16 lanes of
/// 32 bits at two places.
enum class tmem_shape { l32x32b, l16x64b, l16x128b, l16x256b, l16x32bx2 };

template <tmem_shape Shape>
struct tmem_shape_chars;
template <>
struct tmem_shape_chars<tmem_shape::l32x32b> {
  using type = chars<'.', '3', '2', 'x', '3', '2', 'b', '.', 'x'>;
};
template <>
struct tmem_shape_chars<tmem_shape::l16x64b> {
  using type = chars<'.', '1', '6', 'x', '6', '4', 'b', '.', 'x'>;
};
template <>
struct tmem_shape_chars<tmem_shape::l16x128b> {
  using type = chars<'.', '1', '6', 'x', '1', '2', '8', 'b', '.', 'x'>;
};
template <>
struct tmem_shape_chars<tmem_shape::l16x256b> {
  using type = chars<'.', '1', '6', 'x', '2', '5', '6', 'b', '.', 'x'>;
};
template <>
struct tmem_shape_chars<tmem_shape::l16x32bx2> {
  using type = chars<'.', '1', '6', 'x', '3', '2', 'b', 'x', '2', '.', 'x'>;
};

/// What a product multiplies.
enum class umma_kind { f16, tf32, f8f6f4, i8, mxf8f6f4, mxf4, mxf4nvf4 };
template <umma_kind Kind, int ScaleVector = 0>
struct umma_kind_chars;
template <>
struct umma_kind_chars<umma_kind::f16> {
  using type = chars<'f', '1', '6'>;
};
template <>
struct umma_kind_chars<umma_kind::tf32> {
  using type = chars<'t', 'f', '3', '2'>;
};
template <>
struct umma_kind_chars<umma_kind::f8f6f4> {
  using type = chars<'f', '8', 'f', '6', 'f', '4'>;
};
template <>
struct umma_kind_chars<umma_kind::i8> {
  using type = chars<'i', '8'>;
};

/// Block-scaled: factors of 32 elements in one byte (mxf8f6f4) or two bytes of a column (mxf4), of 16 elements in four.
template <>
struct umma_kind_chars<umma_kind::mxf8f6f4, 32> {
  using type = chars<'m', 'x', 'f', '8', 'f', '6', 'f', '4', '.', 'b', 'l', 'o', 'c', 'k', '_', 's', 'c', 'a', 'l', 'e',
                     '.', 's', 'c', 'a', 'l', 'e', '_', 'v', 'e', 'c', ':', ':', '1', 'X'>;
};
template <>
struct umma_kind_chars<umma_kind::mxf4, 32> {
  using type = chars<'m', 'x', 'f', '4', '.', 'b', 'l', 'o', 'c', 'k', '_', 's', 'c', 'a', 'l', 'e', '.', 's', 'c', 'a',
                     'l', 'e', '_', 'v', 'e', 'c', ':', ':', '2', 'X'>;
};
template <>
struct umma_kind_chars<umma_kind::mxf4nvf4, 16> {
  using type = chars<'m', 'x', 'f', '4', 'n', 'v', 'f', '4', '.', 'b', 'l', 'o', 'c', 'k', '_', 's', 'c', 'a', 'l', 'e',
                     '.', 's', 'c', 'a', 'l', 'e', '_', 'v', 'e', 'c', ':', ':', '4', 'X'>;
};

/// Patterns of tcgen05.cp: lanes, bits of a lane, and which quarters of the lanes have the same rows.
enum class tmem_copy_shape { l128x256b, l4x256b, l128x128b, l64x128b_02_13, l64x128b_01_23, l32x128b_x4 };

template <tmem_copy_shape Shape>
struct tmem_copy_chars;
template <>
struct tmem_copy_chars<tmem_copy_shape::l128x256b> {
  using type = chars<'1', '2', '8', 'x', '2', '5', '6', 'b'>;
};
template <>
struct tmem_copy_chars<tmem_copy_shape::l4x256b> {
  using type = chars<'4', 'x', '2', '5', '6', 'b'>;
};
template <>
struct tmem_copy_chars<tmem_copy_shape::l128x128b> {
  using type = chars<'1', '2', '8', 'x', '1', '2', '8', 'b'>;
};
template <>
struct tmem_copy_chars<tmem_copy_shape::l64x128b_02_13> {
  using type =
      chars<'6', '4', 'x', '1', '2', '8', 'b', '.', 'w', 'a', 'r', 'p', 'x', '2', ':', ':', '0', '2', '_', '1', '3'>;
};
template <>
struct tmem_copy_chars<tmem_copy_shape::l64x128b_01_23> {
  using type =
      chars<'6', '4', 'x', '1', '2', '8', 'b', '.', 'w', 'a', 'r', 'p', 'x', '2', ':', ':', '0', '1', '_', '2', '3'>;
};
template <>
struct tmem_copy_chars<tmem_copy_shape::l32x128b_x4> {
  using type = chars<'3', '2', 'x', '1', '2', '8', 'b', '.', 'w', 'a', 'r', 'p', 'x', '4'>;
};

#if TILEWRIGHT_ON_DEVICE

#if defined(__CUDA_ARCH_FEAT_SM100_ALL) || defined(__CUDA_ARCH_FEAT_SM101_ALL) || \
    defined(__CUDA_ARCH_FEAT_SM103_ALL) || defined(__CUDA_ARCH_FEAT_SM110_ALL)
inline constexpr bool has_tcgen05 = true;
#elif defined(__CUDA_ARCH_FAMILY_SPECIFIC__)
inline constexpr bool has_tcgen05 = __CUDA_ARCH_FAMILY_SPECIFIC__ >= 1000 && __CUDA_ARCH_FAMILY_SPECIFIC__ < 1200;
#else
inline constexpr bool has_tcgen05 = false;
#endif
inline constexpr char const* needs_tcgen05 =
    "tensor memory and its products need sm_100a; compile for that (-arch=sm_100a), or use an atom of SM90 or SM80";

/// A warp allocates columns: a power of two from 32 to 512; their address is written to shared memory. Waits for blocks that have
/// them.
template <int Blocks>
TILEWRIGHT_FN void tmem_allocate(std::uint32_t* smem, int columns) {
  if constexpr (!has_tcgen05) refuse(needs_tcgen05);
  else if constexpr (Blocks == 1)
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(cast_smem_ptr_to_uint(smem)),
                 "r"(columns)
                 : "memory");
  else
    asm volatile("tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(cast_smem_ptr_to_uint(smem)),
                 "r"(columns)
                 : "memory");
}
template <int Blocks>
TILEWRIGHT_FN void tmem_free(std::uint32_t address, int columns) {
  if constexpr (!has_tcgen05) refuse(needs_tcgen05);
  else if constexpr (Blocks == 1)
    asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(address), "r"(columns));
  else asm volatile("tcgen05.dealloc.cta_group::2.sync.aligned.b32 %0, %1;" ::"r"(address), "r"(columns));
}
template <int Blocks>
TILEWRIGHT_FN void tmem_release_lock() {
  if constexpr (!has_tcgen05) refuse(needs_tcgen05);
  else if constexpr (Blocks == 1) asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
  else asm volatile("tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;");
}

/// r from tensor memory. Name is ".32x32b.x4" and its like, Tail what follows the address.
#define TILEWRIGHT_X(COUNT, LIST, N0, N1, N2, ...)                                 \
  template <class Name, class Tail>                                                \
  TILEWRIGHT_FN void tmem_load(std::uint32_t address, std::uint32_t(&r)[COUNT]) {  \
    if constexpr (has_tcgen05)                                                     \
      asm volatile("tcgen05.ld.sync.aligned" N1 ".b32 {" LIST "}, [" N0 "]" N2 ";" \
                   : __VA_ARGS__                                                   \
                   : "r"(address), "C"(Name::value), "C"(Tail::value));            \
    else refuse(needs_tcgen05);                                                    \
  }
#include "tilewright/atom/ptx/tcgen05_load.def"
#undef TILEWRIGHT_X
#define TILEWRIGHT_X(COUNT, LIST, ...)                                                                   \
  template <class Name, class Tail>                                                                      \
  TILEWRIGHT_FN void tmem_store(std::uint32_t address, std::uint32_t const(&r)[COUNT]) {                 \
    if constexpr (has_tcgen05)                                                                           \
      asm volatile("tcgen05.st.sync.aligned%1.b32 [%0]%2, {" LIST "};" ::"r"(address), "C"(Name::value), \
                   "C"(Tail::value), __VA_ARGS__);                                                       \
    else refuse(needs_tcgen05);                                                                          \
  }
#include "tilewright/atom/ptx/tcgen05_store.def"
#undef TILEWRIGHT_X

/// The registers of this thread's loads have arrived; its stores have.
TILEWRIGHT_FN void tmem_wait_load() {
  if constexpr (has_tcgen05) asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
  else refuse(needs_tcgen05);
}
TILEWRIGHT_FN void tmem_wait_store() {
  if constexpr (has_tcgen05) asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory");
  else refuse(needs_tcgen05);
}
/// Orders this thread's accesses of tensor memory with those of threads that it meets at a barrier after, or before.
TILEWRIGHT_FN void tmem_fence_before_sync() {
  if constexpr (has_tcgen05) asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
  else refuse(needs_tcgen05);
}
TILEWRIGHT_FN void tmem_fence_after_sync() {
  if constexpr (has_tcgen05) asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
  else refuse(needs_tcgen05);
}

/// From shared memory, by its descriptor.
template <int Blocks, tmem_copy_shape Shape>
TILEWRIGHT_FN void tmem_copy(std::uint64_t descriptor, std::uint32_t address) {
  using shape = typename tmem_copy_chars<Shape>::type;
  if constexpr (has_tcgen05)
    asm volatile("tcgen05.cp.cta_group::%2.%3 [%0], %1;" ::"r"(address), "l"(descriptor), "n"(Blocks), "C"(shape::value)
                 : "memory");
  else refuse(needs_tcgen05);
}

/// d = A·B, or A·B + d where adds is not 0, by one thread. A by its descriptor, or in tensor memory by its address.
template <int Blocks, class Kind>
TILEWRIGHT_FN void umma(std::uint32_t d, std::uint64_t a, std::uint64_t b, std::uint32_t instruction,
                        std::uint32_t adds) {
  if constexpr (has_tcgen05)
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %4, 0;\n"
        "tcgen05.mma.cta_group::%5.kind::%6 [%0], %1, %2, %3, p;\n}\n" ::"r"(d),
        "l"(a), "l"(b), "r"(instruction), "r"(adds), "n"(Blocks), "C"(Kind::value)
        : "memory");
  else refuse(needs_tcgen05);
}
template <int Blocks, class Kind>
TILEWRIGHT_FN void umma_of_tmem(std::uint32_t d, std::uint32_t a, std::uint64_t b, std::uint32_t instruction,
                                std::uint32_t adds) {
  if constexpr (has_tcgen05)
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %4, 0;\n"
        "tcgen05.mma.cta_group::%5.kind::%6 [%0], [%1], %2, %3, p;\n}\n" ::"r"(d),
        "r"(a), "l"(b), "r"(instruction), "r"(adds), "n"(Blocks), "C"(Kind::value)
        : "memory");
  else refuse(needs_tcgen05);
}
/// The same with d divided by 2^Shift before the sum, 0 to 15.
template <int Blocks, class Kind, int Shift>
TILEWRIGHT_FN void umma_scaled(std::uint32_t d, std::uint64_t a, std::uint64_t b, std::uint32_t instruction,
                               std::uint32_t adds) {
  if constexpr (has_tcgen05)
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %4, 0;\n"
        "tcgen05.mma.cta_group::%5.kind::%6 [%0], %1, %2, %3, p, %7;\n}\n" ::"r"(d),
        "l"(a), "l"(b), "r"(instruction), "r"(adds), "n"(Blocks), "C"(Kind::value), "n"(Shift)
        : "memory");
  else refuse(needs_tcgen05);
}
template <int Blocks, class Kind, int Shift>
TILEWRIGHT_FN void umma_of_tmem_scaled(std::uint32_t d, std::uint32_t a, std::uint64_t b, std::uint32_t instruction,
                                       std::uint32_t adds) {
  if constexpr (has_tcgen05)
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %4, 0;\n"
        "tcgen05.mma.cta_group::%5.kind::%6 [%0], [%1], %2, %3, p, %7;\n}\n" ::"r"(d),
        "r"(a), "l"(b), "r"(instruction), "r"(adds), "n"(Blocks), "C"(Kind::value), "n"(Shift)
        : "memory");
  else refuse(needs_tcgen05);
}

/// Block-scaled, with the factors of A and of B in tensor memory.
template <int Blocks, class Kind>
TILEWRIGHT_FN void umma_block_scaled(std::uint32_t d, std::uint64_t a, std::uint64_t b, std::uint32_t instruction,
                                     std::uint32_t factors_of_a, std::uint32_t factors_of_b, std::uint32_t adds) {
  if constexpr (has_tcgen05)
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %4, 0;\n"
        "tcgen05.mma.cta_group::%7.kind::%8 [%0], %1, %2, %3, [%5], [%6], p;\n}\n" ::"r"(d),
        "l"(a), "l"(b), "r"(instruction), "r"(adds), "r"(factors_of_a), "r"(factors_of_b), "n"(Blocks), "C"(Kind::value)
        : "memory");
  else refuse(needs_tcgen05);
}

/// The barrier gets an arrival when this thread's products and copies so far are done; the barriers of the same place in the
/// blocks of the mask.
template <int Blocks>
TILEWRIGHT_FN void umma_commit(std::uint64_t* barrier) {
  if constexpr (has_tcgen05)
    asm volatile("tcgen05.commit.cta_group::%1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(
                     cast_smem_ptr_to_uint(barrier)),
                 "n"(Blocks)
                 : "memory");
  else refuse(needs_tcgen05);
}
template <int Blocks>
TILEWRIGHT_FN void umma_commit_multicast(std::uint64_t* barrier, std::uint16_t blocks) {
  if constexpr (has_tcgen05)
    asm volatile(
        "tcgen05.commit.cta_group::%2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], %1;" ::"r"(
            cast_smem_ptr_to_uint(barrier)),
        "h"(blocks), "n"(Blocks)
        : "memory");
  else refuse(needs_tcgen05);
}

#endif

}  // namespace tilewright::ptx
