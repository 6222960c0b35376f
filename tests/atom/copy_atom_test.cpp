// Copy atoms: maps in bits restated in elements, the plain copies of every width with their host bodies, and
// an atom of two threads whose source and destination maps differ, as instructions that exchange values
// between threads have.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <type_traits>

#include "plain.hpp"
#include "tilewright/algorithm/copy.hpp"
#include "tilewright/tiled/make_tiled_copy.hpp"

namespace tilewright {

/// Two threads with 64 bits each read 64 contiguous bits; what they hold afterwards is interleaved by 32
/// bits.
struct interleave_pairs {};
template <>
struct Copy_Traits<interleave_pairs> {
  using ThrID = Layout<_2>;
  using SrcLayout = Layout<Shape<_2, _64>, Stride<_64, _1>>;
  using DstLayout = Layout<Shape<_2, Shape<_32, _2>>, Stride<_32, Stride<_1, _64>>>;
  using RefLayout = SrcLayout;
};

namespace {

using tests::number;

template <class A, class B>
constexpr bool same = std::is_same_v<std::remove_cvref_t<A>, std::remove_cvref_t<B>>;

// --- maps in elements
// ------------------------------------------------------------------------------------------------
using Vector = Copy_Atom<UniversalCopy<uint128_t>, float>;
static_assert(Vector::NumThreads == 1 && Vector::NumValSrc == 4 && Vector::NumValDst == 4 && Vector::value_bits == 32);
static_assert(same<Vector::ValLayoutSrc, Layout<Shape<_1, _4>, Stride<_0, _1>>> && same<Vector::ThrID, Layout<_1, _0>>);
static_assert(same<Vector::BitLayoutSrc, Layout<Shape<_1, _128>, Stride<_0, _1>>> && same<Vector::ValType, float>);
static_assert(Copy_Atom<UniversalCopy<uint128_t>, std::uint8_t>::NumValSrc == 16);
static_assert(Copy_Atom<UniversalCopy<std::uint32_t>, uint4b_t>::NumValSrc == 8);
static_assert(Copy_Atom<UniversalCopy<double>, double>::NumValSrc == 1);
static_assert(Copy_Atom<DefaultCopy, double>::NumValSrc == 1 &&
              Copy_Atom<AutoVectorizingCopy, std::uint8_t>::NumValDst == 1);
static_assert(same<Copy_Atom<Copy_Traits<UniversalCopy<uint128_t>>, float>::Traits, Vector::Traits>);
static_assert(same<AutoVectorizingCopy, AutoVectorizingCopyWithAssumedAlignment<128>>);
static_assert(is_copy_atom_v<Vector> && !is_copy_atom_v<UniversalCopy<float>> && std::is_empty_v<Vector>);

// --- host bodies
// -----------------------------------------------------------------------------------------------------
/// One atom moves exactly its bits, at any aligned position, in registers and memory.
template <class Atom>
bool moves_exactly_its_values() {
  using T = typename Atom::ValType;
  constexpr int n = Atom::NumValSrc;
  for (int at = 0; at < 4; ++at) {
    alignas(32) std::array<T, 4 * n> from{}, to{};
    for (std::size_t i = 0; i < from.size(); ++i) {
      from[i] = static_cast<T>(i + 1);
      to[i] = static_cast<T>(100);
    }
    auto const src = make_tensor(make_gmem_ptr(from.data() + at * n), Layout<Shape<C<n>>>{});
    auto const dst = make_tensor(make_smem_ptr(to.data() + (3 - at) * n), Layout<Shape<C<n>>>{});
    Atom{}.call(src, dst);
    for (int i = 0; i < 4 * n; ++i) {
      int const within = i - (3 - at) * n;
      T const want = within >= 0 && within < n ? static_cast<T>(at * n + within + 1) : static_cast<T>(100);
      if (to[static_cast<std::size_t>(i)] != want) return false;
    }
  }
  return true;
}
TEST(CopyAtom, EveryWidthMovesExactlyItsValues) {
  EXPECT_TRUE(moves_exactly_its_values<Vector>());
  EXPECT_TRUE((moves_exactly_its_values<Copy_Atom<UniversalCopy<uint256_t>, float>>()));
  EXPECT_TRUE((moves_exactly_its_values<Copy_Atom<UniversalCopy<std::uint64_t>, std::uint16_t>>()));
  EXPECT_TRUE((moves_exactly_its_values<Copy_Atom<UniversalCopy<std::uint16_t>, std::uint8_t>>()));
  EXPECT_TRUE((moves_exactly_its_values<Copy_Atom<UniversalCopy<std::uint8_t>, std::uint8_t>>()));
  EXPECT_TRUE((moves_exactly_its_values<Copy_Atom<UniversalCopy<double>, double>>()));
  EXPECT_TRUE((moves_exactly_its_values<Copy_Atom<DefaultCopy, int>>()));
}

TEST(CopyAtom, ElementsBelowAByte) {
  alignas(4) std::array<unsigned char, 8> from{0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe}, to{};
  to.fill(0xee);
  auto const src = make_tensor(reinterpret_cast<uint4b_t const*>(from.data()), Layout<_16>{});
  auto const dst = make_tensor(reinterpret_cast<uint4b_t*>(to.data()), Layout<_16>{});
  copy(Copy_Atom<UniversalCopy<std::uint32_t>, uint4b_t>{}, local_tile(src, make_tile(_8{}), 1),
       local_tile(dst, make_tile(_8{}), 0));
  EXPECT_EQ(to, (std::array<unsigned char, 8>{0x98, 0xba, 0xdc, 0xfe, 0xee, 0xee, 0xee, 0xee}));
}

#if TILEWRIGHT_CHECKED
TEST(CopyAtom, AMisalignedVectorIsRefused) {
  alignas(16) std::array<float, 12> from{}, to{};
  auto const dst = make_tensor(to.data(), Layout<Shape<_4>>{});
  EXPECT_NO_THROW(Vector{}.call(make_tensor(from.data() + 4, Layout<Shape<_4>>{}), dst));
  EXPECT_THROW(Vector{}.call(make_tensor(from.data() + 1, Layout<Shape<_4>>{}), dst), layout_error);
  EXPECT_THROW(Vector{}.call(dst, make_tensor(to.data() + 2, Layout<Shape<_4>>{})), layout_error);
}
#endif

// --- an atom of several threads
// --------------------------------------------------------------------------------------
using Exchange = Copy_Atom<interleave_pairs, float>;
static_assert(Exchange::NumThreads == 2 && Exchange::NumValSrc == 2 && Exchange::NumValDst == 2);
static_assert(Exchange::ValLayoutDst{}(0, 1) == 2 && Exchange::ValLayoutDst{}(1, 0) == 1 &&
              Exchange::ValLayoutDst{}(1, 1) == 3);

/// Threads t = 2q + p of 8, each with 2 values: it reads elements 4q + 2p + v of the line and holds 4q + p +
/// 2v.
constexpr bool exchanges() {
  auto const copy = make_tiled_copy(Exchange{}, Layout<Shape<_8>>{}, Layout<Shape<_2>>{});
  auto const line = make_counting_tensor(Layout<Shape<_32>>{});
  for (int t = 0; t < 8; ++t) {
    auto const reads = copy.get_slice(t).partition_S(line);
    auto const holds = copy.get_slice(t).partition_D(line);
    for (int r = 0; r < 2; ++r)
      for (int v = 0; v < 2; ++v) {
        int const q = t / 2, p = t % 2, base = 16 * r + 4 * q;
        if (number(reads(v + 2 * r)) != base + 2 * p + v || number(holds(v + 2 * r)) != base + p + 2 * v) return false;
      }
  }
  return true;
}
static_assert(exchanges());

constexpr bool exchanging_views() {
  auto const copy = make_tiled_copy(Exchange{}, Layout<Shape<_8>>{}, Layout<Shape<_2>>{});
  auto const source = copy.get_layoutS_TV();
  auto const destination = copy.get_layoutD_TV();
  auto const owner = copy.get_layoutD_MN();
  for (int t = 0; t < 8; ++t)
    for (int v = 0; v < 2; ++v) {
      int const held = 4 * (t / 2) + t % 2 + 2 * v;
      if (number(source(t, v)) != 2 * t + v || number(destination(t, v)) != held || number(owner(held)) != t + 8 * v)
        return false;
    }
  return true;
}
static_assert(exchanging_views());

}  // namespace
}  // namespace tilewright
