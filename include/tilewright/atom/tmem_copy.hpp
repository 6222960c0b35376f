// Tensor memory to registers and back (Blackwell; PTX ISA, "tcgen05.ld", "tcgen05.st", "Data Movement Shape"): a warp moves 16 or
// 32 lanes of some columns, those of its quarter of the 128 lanes. All 32 threads pass the same address. One template for
// all shapes; mma/sm100_names.hpp and CuTe call them SM100_TMEM_LOAD_32dp32b8x and so on: lanes, bits in a thread's piece of a
// row, and how often that is repeated; _16b takes the lower half of each column alone, two of which share a register.
// On a GPU the registers of a load are valid after fence_view_async_tmem_load, stores are seen after ..._tmem_store; on
// the CPU both happen at once.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/atom/matrix_fragment.hpp"
#include "tilewright/atom/ptx/tcgen05.hpp"
#include "tilewright/tensor/tmem_pointer.hpp"

namespace tilewright {
namespace detail {

/// Where a warp's bits are, lane after lane: bit = lane * bits of a row + bit in the row.
template <ptx::tmem_shape Shape, int Repeat>
struct tmem_map;
template <int Repeat>
struct tmem_map<ptx::tmem_shape::l32x32b, Repeat> {
  static constexpr int lanes = 32, row_bits = 32 * Repeat;
  using type = Layout<Shape<_32, C<row_bits>>, Stride<C<row_bits>, _1>>;
};
template <int Repeat>
struct tmem_map<ptx::tmem_shape::l16x64b, Repeat> {
  static constexpr int lanes = 16, row_bits = 64 * Repeat;
  using type = Layout<Shape<Shape<_2, _2, _8>, Shape<_32, C<Repeat>>>,
                      Stride<Stride<_32, C<8 * row_bits>, C<row_bits>>, Stride<_1, _64>>>;
};
template <>
struct tmem_map<ptx::tmem_shape::l16x64b, 1> {
  static constexpr int lanes = 16, row_bits = 64;
  using type = Layout<Shape<Shape<_2, _2, _8>, _32>, Stride<Stride<_32, _512, _64>, _1>>;
};
template <int Repeat>
struct tmem_map<ptx::tmem_shape::l16x128b, Repeat> {
  static constexpr int lanes = 16, row_bits = 128 * Repeat;
  using type = Layout<Shape<Shape<_4, _8>, Shape<_32, _2, C<Repeat>>>,
                      Stride<Stride<_32, C<row_bits>>, Stride<_1, C<8 * row_bits>, _128>>>;
};
template <>
struct tmem_map<ptx::tmem_shape::l16x128b, 1> {
  static constexpr int lanes = 16, row_bits = 128;
  using type = Layout<Shape<Shape<_4, _8>, Shape<_32, _2>>, Stride<Stride<_32, _128>, Stride<_1, _1024>>>;
};
template <int Repeat>
struct tmem_map<ptx::tmem_shape::l16x256b, Repeat> {
  static constexpr int lanes = 16, row_bits = 256 * Repeat;
  using type = Layout<Shape<Shape<_4, _8>, Shape<_64, _2, C<Repeat>>>,
                      Stride<Stride<_64, C<row_bits>>, Stride<_1, C<8 * row_bits>, _256>>>;
};
template <>
struct tmem_map<ptx::tmem_shape::l16x256b, 1> {
  static constexpr int lanes = 16, row_bits = 256;
  using type = Layout<Shape<Shape<_4, _8>, Shape<_64, _2>>, Stride<Stride<_64, _256>, Stride<_1, _2048>>>;
};
/// Threads 16 to 31 have the columns behind those of threads 0 to 15.
template <int Repeat>
struct tmem_map<ptx::tmem_shape::l16x32bx2, Repeat> {
  static constexpr int lanes = 16, row_bits = 64 * Repeat;
  using type = Layout<Shape<Shape<_16, _2>, C<32 * Repeat>>, Stride<Stride<C<row_bits>, C<32 * Repeat>>, _1>>;
};

/// What one instruction moves.
/// Halves: the lower 16 bits of each column alone
template <ptx::tmem_shape Shape_, int Repeat, bool Halves>
struct tmem_pattern {
  using map = tmem_map<Shape_, Repeat>;
  using registers_map = typename map::type;
  static constexpr int lanes = map::lanes, row_bits = map::row_bits;
  static constexpr int bits = lanes * row_bits, registers = bits / 1024;
  /// bit -> bit of tensor memory
  using ValID =
      std::conditional_t<Halves,
                         Layout<Shape<Shape<_16, C<row_bits / 16>>, C<lanes>>, Stride<Stride<_1, _32>, TMEM::DP_b>>,
                         Layout<Shape<C<row_bits>, C<lanes>>, Stride<_1, TMEM::DP_b>>>;
  using whole = Layout<Shape<_32, C<bits>>, Stride<_0, _1>>;

#if TILEWRIGHT_ON_DEVICE
  using shape_name = typename ptx::joined<typename ptx::tmem_shape_chars<Shape_>::type,
                                          typename ptx::number_chars<Repeat>::type>::type;
  using load_name = std::conditional_t<
      Halves, typename ptx::joined<shape_name, ptx::chars<'.', 'p', 'a', 'c', 'k', ':', ':', '1', '6', 'b'>>::type,
      shape_name>;
  using store_name = std::conditional_t<
      Halves,
      typename ptx::joined<shape_name, ptx::chars<'.', 'u', 'n', 'p', 'a', 'c', 'k', ':', ':', '1', '6', 'b'>>::type,
      shape_name>;
  // Of 16x32bx2: how many columns on the second place is.
  using tail = std::conditional_t<
      Shape_ == ptx::tmem_shape::l16x32bx2,
      typename ptx::joined<ptx::chars<',', ' '>, typename ptx::number_chars<Repeat*(Halves ? 2 : 1)>::type>::type,
      ptx::chars<>>;
#elif TILEWRIGHT_HOSTED
  /// f(register, bit in it, word of tensor memory, bit in it, bits) for each piece of the running thread.
  /// error: layout_error tmem_threads, tmem_lane, tmem_address, needs_a_warp
  template <class F>
  static void for_each_piece(char const* operation, std::uint32_t address, F const& f) {
    host_thread_services& warp = thread_of_a_warp();
    auto const* const all = reinterpret_cast<std::uint32_t const*>(warp.exchange(operation, &address, sizeof(address)));
    int const first = warp.thread_number() - warp.lane();
    for (int lane = 0; lane < warp_size; ++lane)
      if (all[lane] != address) raise({errc::tmem_threads, warp.thread_number(), first + lane});
    int const lane = static_cast<int>(address >> 16), column = static_cast<int>(address & 0xffff);
    int const own = first / warp_size % 4 * 32;
    if (lane < own || lane + lanes > own + 32) raise({errc::tmem_lane, lane, own});
    host_tensor_memory& memory = warp.tensor_memory(warp.cluster().rank);
    constexpr int piece = Halves ? 16 : 32;
    for (int bit = 0; bit < 32 * registers; bit += piece) {
      int const at = static_cast<int>(registers_map{}(warp.lane(), bit));
      int const in_row = at % row_bits;
      f(bit / 32, bit % 32, memory.word(lane + at / row_bits, column + in_row / piece), piece);
    }
  }
#endif
};

/// Tensor memory to registers, and back.
template <ptx::tmem_shape Shape_, int Repeat, bool Halves>
struct tmem_load {
  using pattern = tmem_pattern<Shape_, Repeat, Halves>;
  using SRegisters = std::uint32_t[1];
  using DRegisters = std::uint32_t[static_cast<std::size_t>(pattern::registers)];

  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_FN static void run(std::uint32_t address, DRegisters& to) {
#if TILEWRIGHT_ON_DEVICE
    ptx::tmem_load<typename pattern::load_name, typename pattern::tail>(address, to);
#elif TILEWRIGHT_HOSTED
    for (auto& r : to) r = 0;
    pattern::for_each_piece("tcgen05.ld", address, [&](int r, int bit, std::uint32_t const& word, int bits) {
      to[r] |= (bits == 32 ? word : word & 0xffff) << bit;
    });
#endif
  }
  /// The same with each register as an argument.
  TILEWRIGHT_NO_EXEC_CHECK
  template <class... R>
  requires(sizeof...(R) == pattern::registers) TILEWRIGHT_FN static void copy(std::uint32_t const& address, R&... to) {
    DRegisters registers;
    run(address, registers);
    int i = 0;
    ((to = registers[i++]), ...);
  }
};
template <ptx::tmem_shape Shape_, int Repeat, bool Halves>
struct tmem_store {
  using pattern = tmem_pattern<Shape_, Repeat, Halves>;
  using SRegisters = std::uint32_t[static_cast<std::size_t>(pattern::registers)];
  using DRegisters = std::uint32_t[1];

  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_FN static void run(SRegisters const& from, std::uint32_t address) {
#if TILEWRIGHT_ON_DEVICE
    ptx::tmem_store<typename pattern::store_name, typename pattern::tail>(address, from);
#elif TILEWRIGHT_HOSTED
    pattern::for_each_piece("tcgen05.st", address, [&](int r, int bit, std::uint32_t& word, int bits) {
      word = bits == 32 ? from[r] : from[r] >> bit & 0xffff;
    });
#endif
  }
  /// The same with each register as an argument, and the address behind them.
  TILEWRIGHT_NO_EXEC_CHECK
  template <class... A>
  requires(sizeof...(A) == pattern::registers + 1) TILEWRIGHT_FN static void copy(A const&... arguments) {
    std::uint32_t const all[]{static_cast<std::uint32_t>(arguments)...};
    SRegisters registers;
    TILEWRIGHT_UNROLL
    for (int i = 0; i < pattern::registers; ++i) registers[i] = all[i];
    run(registers, all[pattern::registers]);
  }
};

template <bool Holds>
struct tmem_copy_operands {
  static constexpr bool value = Holds;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "tensor memory: a load goes from tensor memory to registers and a store back; partition the tensor of "
        "make_tmem_ptr with the copy of make_tmem_copy, and give registers for the other side "
        "(docs/errors.md#tensor_memory)");
    return invalid_layout{};
  }
};

}  // namespace detail

template <ptx::tmem_shape Shape_, int Repeat, bool Halves>
struct Copy_Traits<detail::tmem_load<Shape_, Repeat, Halves>> {
  using operation = detail::tmem_load<Shape_, Repeat, Halves>;
  using ThrID = Layout<_32>;
  using ValID = typename operation::pattern::ValID;
  using SrcLayout = typename operation::pattern::whole;
  using DstLayout = typename operation::pattern::registers_map;
  using RefLayout = SrcLayout;

  template <class Src, class Dst>
  using operands_check =
      detail::tmem_copy_operands<is_tmem_v<typename Src::iterator> && is_rmem_v<typename Dst::iterator>>;

  /// pre: all threads of the warp call it
  TILEWRIGHT_NO_EXEC_CHECK
  template <class Src, class Dst>
  TILEWRIGHT_FN static void copy(Src const& src, Dst&& dst) {
    typename operation::DRegisters registers;
    operation::run(src.data().column(), registers);
    detail::put_registers<operation::pattern::registers>(registers, dst);
  }
};
template <ptx::tmem_shape Shape_, int Repeat, bool Halves>
struct Copy_Traits<detail::tmem_store<Shape_, Repeat, Halves>> {
  using operation = detail::tmem_store<Shape_, Repeat, Halves>;
  using ThrID = Layout<_32>;
  using ValID = typename operation::pattern::ValID;
  using SrcLayout = typename operation::pattern::registers_map;
  using DstLayout = typename operation::pattern::whole;
  using RefLayout = DstLayout;

  template <class Src, class Dst>
  using operands_check =
      detail::tmem_copy_operands<is_rmem_v<typename Src::iterator> && is_tmem_v<typename Dst::iterator>>;

  TILEWRIGHT_NO_EXEC_CHECK
  template <class Src, class Dst>
  TILEWRIGHT_FN static void copy(Src const& src, Dst&& dst) {
    typename operation::SRegisters registers;
    detail::get_registers<operation::pattern::registers>(src, registers);
    operation::run(registers, dst.data().column());
  }
};

/// The registers of this warp's loads are valid; its stores are seen.
TILEWRIGHT_FN void fence_view_async_tmem_load() {
#if TILEWRIGHT_ON_DEVICE
  ptx::tmem_wait_load();
#endif
}
TILEWRIGHT_FN void fence_view_async_tmem_store() {
#if TILEWRIGHT_ON_DEVICE
  ptx::tmem_wait_store();
#endif
}
/// Before a barrier that hands tensor memory on, and after it in the threads that take it.
TILEWRIGHT_FN void tcgen05_before_thread_sync() {
#if TILEWRIGHT_ON_DEVICE
  ptx::tmem_fence_before_sync();
#endif
}
TILEWRIGHT_FN void tcgen05_after_thread_sync() {
#if TILEWRIGHT_ON_DEVICE
  ptx::tmem_fence_after_sync();
#endif
}

#define TILEWRIGHT_X(NAME, SHAPE, REPEAT)                                                       \
  using SM100_TMEM_LOAD_##NAME = detail::tmem_load<ptx::tmem_shape::SHAPE, REPEAT, false>;      \
  using SM100_TMEM_LOAD_##NAME##_16b = detail::tmem_load<ptx::tmem_shape::SHAPE, REPEAT, true>; \
  using SM100_TMEM_STORE_##NAME = detail::tmem_store<ptx::tmem_shape::SHAPE, REPEAT, false>;    \
  using SM100_TMEM_STORE_##NAME##_16b = detail::tmem_store<ptx::tmem_shape::SHAPE, REPEAT, true>;
#include "tilewright/atom/tmem_copies.def"
#undef TILEWRIGHT_X

}  // namespace tilewright
