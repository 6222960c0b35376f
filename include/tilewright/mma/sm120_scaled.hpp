// Matrix operations of a warp of SM120 on narrow floats of which A is sparse, or whose rows are blocks with a factor each, or both:
//   D (16,8) = Σ over blocks v of F_A(m,v) · F_B(n,v) · (A (16,v) · B (8,v)) + C
// A thread has the factors of a row of A (lanes 0 and 1 of four: rows r and r + 8) and of a row of B (lane 0) in one register, the
// first block's in the low byte. Of a sparse A the operation reads half the columns; metadata name them.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/atom/ptx/mma_block_scaled.hpp"
#include "tilewright/mma/host_scaled_mma.hpp"

namespace tilewright {
namespace detail {

/// A register of so many bytes, one for each factor.
template <int Factors>
using factor_register =
    std::conditional_t<Factors == 1, std::uint8_t, std::conditional_t<Factors == 2, std::uint16_t, std::uint32_t>>;

/// Types, and factors of how many elements, for elements of 4 bits.  Dense: 1, or 2 where A is sparse
template <class A, class B, class F, int Elements, int Dense>
inline constexpr bool multiplies_fours = std::is_same_v<A, float_e2m1_t>&& std::is_same_v<B, float_e2m1_t> &&
                                         (std::is_same_v<F, float_ue8m0_t> ||
                                          std::is_same_v<F, float_ue4m3_t>)&&(Elements == 16 * Dense ||
                                                                              Elements == 32 * Dense);
/// The elements that a factor is for. The instruction has a float_ue4m3_t for 16 (32) elements, whatever the register holds.
template <class F, int Elements, int Dense>
inline constexpr int elements_of_factor = std::is_same_v<F, float_ue4m3_t> ? 16 * Dense : Elements;

/// Gives Op, which has run(d, a, b, c, more), fma with each register as an argument: those of D, A, B and C, then one of metadata where A
/// is sparse, then the factors of A and of B.
template <class Op, class Product>
struct scaled_mma {
  using DRegisters = float[4];
  using ARegisters = std::uint32_t[4];
  using BRegisters = std::uint32_t[static_cast<std::size_t>(Product::b_registers)];
  using CRegisters = float[4];
  static constexpr int more_registers = (Product::is_sparse ? 1 : 0) + (Product::has_factors ? 2 : 0);
  using more = std::uint32_t[static_cast<std::size_t>(more_registers)];

  /// pre: all threads of the warp call it
  TILEWRIGHT_NO_EXEC_CHECK
  template <class... R>
  TILEWRIGHT_FN static void fma(R&&... registers) {
    static_assert(
        sizeof...(R) == 12 + Product::b_registers + more_registers,
        "fma: pass the registers of D, A, B and C, of the metadata of a sparse A, and of the factors of A and B");
    spread(make_seq<static_cast<int>(sizeof...(R))>{}, registers...);
  }
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_FN static void run(DRegisters& d, ARegisters const& a, BRegisters const& b, CRegisters const& c,
                                more const& words) {
    [[maybe_unused]] std::uint32_t const metadata = Product::is_sparse ? words[0] : 0;
    [[maybe_unused]] std::uint32_t const factors_a = Product::has_factors ? words[more_registers - 2] : 0;
    [[maybe_unused]] std::uint32_t const factors_b = Product::has_factors ? words[more_registers - 1] : 0;
#if TILEWRIGHT_ON_DEVICE
    using A = typename Product::a_type;
    using B = typename Product::b_type;
    using F = typename Product::factor_type;
    constexpr int K = Product::k_extent;
    if constexpr (!Product::has_factors) ptx::mma_sparse_narrow_floats<A, B>(d, a, b, c, metadata);
    else if constexpr (Product::is_sparse)
      ptx::mma_sparse_block_scaled<A, B, F, K / Product::vector, K>(d, a, b, c, metadata, factors_a, factors_b);
    else ptx::mma_block_scaled<A, B, F, K / Product::vector, K>(d, a, b, c, factors_a, factors_b);
#elif TILEWRIGHT_HOSTED
    scaled_mma_on_host<Product>(Op::name, d, a, b, c, metadata, factors_a, factors_b);
#endif
  }

 private:
  TILEWRIGHT_NO_EXEC_CHECK
  template <int... N, class... R>
  TILEWRIGHT_FN static void spread(seq<N...>, R&... registers) {
    DRegisters d{};
    ARegisters a{};
    BRegisters b{};
    CRegisters c{};
    more words{};
    (put_in<N>(registers, a, b, c, words), ...);
    run(d, a, b, c, words);
    (take_out<N>(d, registers), ...);
  }
  template <int I, class R>
  TILEWRIGHT_FN static void put_in(R const& from, ARegisters& a, BRegisters& b, CRegisters& c, more& words) {
    constexpr int b_end = 8 + Product::b_registers;
    if constexpr (I >= b_end + 4) words[I - b_end - 4] = from;
    else if constexpr (I >= b_end) c[I - b_end] = from;
    else if constexpr (I >= 8) b[I - 8] = from;
    else if constexpr (I >= 4) a[I - 4] = from;
  }
  template <int I, class R>
  TILEWRIGHT_FN static void take_out(DRegisters const& d, R& to) {
    if constexpr (I < 4) to = d[I];
  }
};

/// The maps of the factors of a dense or sparse operation: which element of A, and of B, a thread's factor belongs to, by k.
template <class F, int K, int Vector>
struct factor_maps {
  using ValTypeSF = F;
  static constexpr int SFVecSize = Vector;
  using SFALayout = Layout<Shape<Shape<_2, _2, _8>, C<K>>, Stride<Stride<_8, _0, _1>, C<16>>>;
  using SFBLayout = Layout<Shape<Shape<_4, _8>, C<K>>, Stride<Stride<_0, _1>, C<8>>>;
};

/// The bits of the factors of a partition, one for each block: those of the elements whose stride is not 0.
template <class Register, class T>
TILEWRIGHT_FN constexpr Register factors_of(T const& partition) {
  auto const distinct = filter_zeros(partition);  // (V)
  std::uint32_t word = 0;
  TILEWRIGHT_UNROLL
  for (int i = 0; i < static_cast<int>(sizeof(Register)); ++i)
    word |= static_cast<std::uint32_t>(__builtin_bit_cast(std::uint8_t, typename T::value_type(distinct(i))))
            << (8 * i);
  return static_cast<Register>(word);
}

}  // namespace detail

/// Floats of 8, 6 and 4 bits, in a byte each; a factor for 32 elements.
template <class A, class B, class D, class F, int Vector>
struct SM120_16x8x32_TN_VS
    : detail::scaled_mma<SM120_16x8x32_TN_VS<A, B, D, F, Vector>, detail::scaled_product<A, B, 32, 8, F, 32, false>> {
  static_assert(
      detail::is_narrow_float<A> && detail::is_narrow_float<B> && std::is_same_v<D, float> &&
          std::is_same_v<F, float_ue8m0_t> && Vector == 32,
      "SM120_16x8x32_TN_VS: multiplies float_e4m3_t, float_e5m2_t, float_e3m2_t, float_e2m3_t and float_e2m1_t "
      "to float, with a float_ue8m0_t for 32 elements");
  static constexpr char const* name = "SM120_16x8x32_TN_VS";
  using SFARegisters = std::uint8_t[1];
  using SFBRegisters = std::uint8_t[1];
};
/// Floats of 4 bits, packed; a float_ue8m0_t for 32 elements or a float_ue4m3_t for 16. PTX has no float_ue8m0_t for 16: a kernel stops.
template <class A, class B, class D, class F, int Vector>
struct SM120_16x8x64_TN_VS
    : detail::scaled_mma<SM120_16x8x64_TN_VS<A, B, D, F, Vector>,
                         detail::scaled_product<A, B, 64, 4, F, detail::elements_of_factor<F, Vector, 1>, false>> {
  static_assert(
      detail::multiplies_fours<A, B, F, Vector, 1> && std::is_same_v<D, float>,
      "SM120_16x8x64_TN_VS: multiplies float_e2m1_t to float, with a float_ue8m0_t for 32 elements or a float_ue4m3_t "
      "for 16");
  static constexpr char const* name = "SM120_16x8x64_TN_VS";
  using RegTypeSF = detail::factor_register<64 / Vector>;
  using SFARegisters = RegTypeSF[1];
  using SFBRegisters = RegTypeSF[1];
};
/// Half of A (16,64) in bytes.
template <class A, class B, class D>
struct SM120_SPARSE_16x8x64_TN
    : detail::scaled_mma<SM120_SPARSE_16x8x64_TN<A, B, D>, detail::scaled_product<A, B, 64, 8, void, 64, true>> {
  static_assert(detail::is_narrow_float<A> && detail::is_narrow_float<B> && std::is_same_v<D, float>,
                "SM120_SPARSE_16x8x64_TN: multiplies float_e4m3_t, float_e5m2_t, float_e3m2_t, float_e2m3_t and "
                "float_e2m1_t to float");
  static constexpr char const* name = "SM120_SPARSE_16x8x64_TN";
  using ERegisters = std::uint32_t[1];
};
/// Half of A (16,64) in bytes; a factor for 64 elements.
template <class A, class B, class D, class F, int Vector>
struct SM120_SPARSE_16x8x64_TN_VS : detail::scaled_mma<SM120_SPARSE_16x8x64_TN_VS<A, B, D, F, Vector>,
                                                       detail::scaled_product<A, B, 64, 8, F, Vector, true>> {
  static_assert(detail::is_narrow_float<A> && detail::is_narrow_float<B> && std::is_same_v<D, float> &&
                    std::is_same_v<F, float_ue8m0_t> && Vector == 64,
                "SM120_SPARSE_16x8x64_TN_VS: multiplies float_e4m3_t, float_e5m2_t, float_e3m2_t, float_e2m3_t and "
                "float_e2m1_t to float, with a float_ue8m0_t for 64 elements");
  static constexpr char const* name = "SM120_SPARSE_16x8x64_TN_VS";
  using ERegisters = std::uint32_t[1];
  using SFARegisters = std::uint8_t[1];
  using SFBRegisters = std::uint8_t[1];
};
/// Half of A (16,128), floats of 4 bits in pairs; a float_ue8m0_t for 64 elements or a float_ue4m3_t for 32.
template <class A, class B, class D, class F, int Vector>
struct SM120_SPARSE_16x8x128_TN_VS
    : detail::scaled_mma<SM120_SPARSE_16x8x128_TN_VS<A, B, D, F, Vector>,
                         detail::scaled_product<A, B, 128, 4, F, detail::elements_of_factor<F, Vector, 2>, true>> {
  static_assert(
      detail::multiplies_fours<A, B, F, Vector, 2> && std::is_same_v<D, float>,
      "SM120_SPARSE_16x8x128_TN_VS: multiplies float_e2m1_t to float, with a float_ue8m0_t for 64 elements or a "
      "float_ue4m3_t for 32");
  static constexpr char const* name = "SM120_SPARSE_16x8x128_TN_VS";
  using RegTypeSF = detail::factor_register<128 / Vector>;
  using ERegisters = std::uint32_t[1];
  using SFARegisters = RegTypeSF[1];
  using SFBRegisters = RegTypeSF[1];
};

template <class A, class B, class D, class F, int Vector>
struct MMA_Traits<SM120_16x8x32_TN_VS<A, B, D, F, Vector>>
    : detail::warp_mma_traits<16, 8, 32, D, std::uint8_t, std::uint8_t>, detail::factor_maps<F, 32, Vector> {};
template <class A, class B, class D, class F, int Vector>
struct MMA_Traits<SM120_16x8x64_TN_VS<A, B, D, F, Vector>> : detail::warp_mma_traits<16, 8, 64, D, uint4b_t, uint4b_t>,
                                                             detail::factor_maps<F, 64, Vector> {};

/// Operations whose operands have factors.
template <class Op>
concept BlockScaledWarpOperation = requires {
  typename Op::SFARegisters;
  requires !std::is_void_v<typename Op::DRegisters>;
  typename MMA_Traits<Op>::SFALayout;
  requires !requires { typename Op::ERegisters; };
};

/// One operation on one thread's fragments and factors: D = (A · F_A) (B · F_B) + C.
/// FA, FB: the factors by element, stride 0 within a block
TILEWRIGHT_NO_EXEC_CHECK
template <BlockScaledWarpOperation Op, class TD, class TA, class FA, class TB, class FB, class TC>
TILEWRIGHT_FN constexpr void mma_block_scaled(MMA_Traits<Op> const&, TD&& D, TA const& A, FA const& factors_a,
                                              TB const& B, FB const& factors_b, TC const& C) {
  using check = detail::fragments_fill_the_registers<Op, std::remove_cvref_t<TD>, TA, TB, TC>;
  if constexpr (!check::value) {
    (void)check::sentence();
  } else {
    typename Op::DRegisters d{}, c{};
    typename Op::ARegisters a{};
    typename Op::BRegisters b{};
    detail::load_registers(A, a);
    detail::load_registers(B, b);
    detail::load_registers(C, c);
    using word = detail::register_type<typename Op::SFARegisters>;
    typename Op::more const words{detail::factors_of<word>(factors_a), detail::factors_of<word>(factors_b)};
    Op::run(d, a, b, c, words);
    detail::store_registers(d, D);
  }
}

/// Floats of 4 bits, as they are loaded in the low half of a byte each, to the bits that the operation reads. Others stay.
template <class A, class B, class D, class F, int Vector, class T>
TILEWRIGHT_FN constexpr void fp4_shift_A(SM120_16x8x32_TN_VS<A, B, D, F, Vector> const&, T&& tensor) {
  fp4_shift_A(SM120_16x8x32_TN<A, B, D>{}, tensor);
}
template <class A, class B, class D, class F, int Vector, class T>
TILEWRIGHT_FN constexpr void fp4_shift_B(SM120_16x8x32_TN_VS<A, B, D, F, Vector> const&, T&& tensor) {
  fp4_shift_B(SM120_16x8x32_TN<A, B, D>{}, tensor);
}
/// Packed floats of 4 bits are read as they are.
template <class A, class B, class D, class F, int Vector, class T>
TILEWRIGHT_FN constexpr void fp4_shift_A(SM120_16x8x64_TN_VS<A, B, D, F, Vector> const&, T&&) {}
template <class A, class B, class D, class F, int Vector, class T>
TILEWRIGHT_FN constexpr void fp4_shift_B(SM120_16x8x64_TN_VS<A, B, D, F, Vector> const&, T&&) {}

}  // namespace tilewright
