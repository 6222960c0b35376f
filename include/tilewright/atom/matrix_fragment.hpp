// The 8x8 matrices of 16-bit elements that ldmatrix and stmatrix carry: where each thread's 32 bits of a matrix are, in
// bits of the rows, and the exchange between the 32 threads of a warp by which the host does the same.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/matrix.hpp"
#include "tilewright/atom/universal.hpp"
#include "tilewright/machine/host_thread.hpp"

namespace tilewright::detail {

/// One matrix has 8 rows of 128 bits, and the matrices follow one another: bit 1024 * matrix + 128 * row + 16 * column.
///
/// A thread has the address of a row: threads 0-7 those of matrix 0, 8-15 of matrix 1 and so on. Threads beyond the
/// rows repeat them; the instruction ignores their addresses.
template <int Matrices>
struct row_map;
template <>
struct row_map<1> {
  using type = Layout<Shape<Shape<_8, _4>, _128>, Stride<Stride<_128, _0>, _1>>;
};
template <>
struct row_map<2> {
  using type = Layout<Shape<Shape<_16, _2>, _128>, Stride<Stride<_128, _0>, _1>>;
};
template <>
struct row_map<4> {
  using type = Layout<Shape<_32, _128>, Stride<_128, _1>>;
};

/// Plain: thread t has columns 2(t%4), 2(t%4)+1 of row t/4, which are bits 32t to 32t+31, of each matrix.
/// Transposed: rows 2(t%4), 2(t%4)+1 of column t/4.
template <int Matrices, bool Transposed>
struct fragment_map {
  using type = Layout<Shape<_32, Shape<_32, C<Matrices>>>, Stride<_32, Stride<_1, C<1024>>>>;
};
template <>
struct fragment_map<1, false> {
  using type = Layout<Shape<_32, _32>, Stride<_32, _1>>;
};
template <int Matrices>
struct fragment_map<Matrices, true> {
  using type =
      Layout<Shape<Shape<_4, _8>, Shape<_16, _2, C<Matrices>>>, Stride<Stride<_256, _16>, Stride<_1, _128, C<1024>>>>;
};
template <>
struct fragment_map<1, true> {
  using type = Layout<Shape<Shape<_4, _8>, Shape<_16, _2>>, Stride<Stride<_256, _16>, Stride<_1, _128>>>;
};

/// What the instruction takes for a row: its address, which an iterator over watched memory checks.
template <class Row>
TILEWRIGHT_FN auto address_of_row(Row const& row) {
  if constexpr (std::is_pointer_v<Row>) return row;
  else if constexpr (requires { row.checked_address(); }) return row.checked_address();
  else return static_cast<word<128>*>(nullptr);  // an iterator of the host alone, in a pass for the device
}

#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE

using matrix_row = word<128>;

inline std::uint16_t half_of_row(matrix_row const& row, int column) {
  return static_cast<std::uint16_t>(row.units[column / 4] >> (16 * (column % 4)));
}

/// The 32 bits of matrix `m` that a lane has, out of all rows.
template <bool Transposed>
std::uint32_t fragment_of_rows(matrix_row const* rows, int m, int lane) {
  auto const half = [&](int i) -> std::uint32_t {
    int const along = 2 * (lane % 4) + i, across = lane / 4;
    return Transposed ? half_of_row(rows[8 * m + along], across) : half_of_row(rows[8 * m + across], along);
  };
  return half(0) | half(1) << 16;
}

/// Row `row` of matrix `m` out of the fragments of all lanes, `Matrices` words each.
template <int Matrices, bool Transposed>
matrix_row row_of_fragments(std::uint32_t const* fragments, int m, int row) {
  matrix_row out{};
  for (int column = 0; column < 8; ++column) {
    int const along = Transposed ? row : column, across = Transposed ? column : row;
    std::uint32_t const word_of_lane = fragments[(4 * across + along / 2) * Matrices + m];
    std::uint64_t const half = word_of_lane >> (16 * (along % 2)) & 0xffff;
    out.units[column / 4] |= half << (16 * (column % 4));
  }
  return out;
}

/// All threads of the warp together: this thread's row, if it has one, to the fragments of all threads.
template <int Matrices, bool Transposed, class RowIterator>
void ldmatrix_on_host(RowIterator const& row, array_of<std::uint32_t, Matrices>& fragment) {
  host_thread_services& warp = thread_of_a_warp();
  int const lane = warp.lane();
  matrix_row mine{};
  if (lane < 8 * Matrices) mine = *row;
  matrix_row rows[warp_size];
  __builtin_memcpy(rows, warp.exchange("ldmatrix", &mine, sizeof(mine)), sizeof(rows));
  for (int m = 0; m < Matrices; ++m) fragment[m] = fragment_of_rows<Transposed>(rows, m, lane);
}

/// And back: the fragments of all threads to this thread's row, if it has one.
template <int Matrices, bool Transposed, class RowIterator>
void stmatrix_on_host(RowIterator const& row, array_of<std::uint32_t, Matrices> const& fragment) {
  host_thread_services& warp = thread_of_a_warp();
  int const lane = warp.lane();
  array_of<std::uint32_t, warp_size * Matrices> fragments;
  __builtin_memcpy(fragments, warp.exchange("stmatrix", fragment, sizeof(fragment)), sizeof(fragments));
  if (lane < 8 * Matrices) *row = row_of_fragments<Matrices, Transposed>(fragments, lane / 8, lane % 8);
}

#endif

/// Registers to the values of a thread's tensor, and back.
template <int Words, class Dst>
TILEWRIGHT_FN void put_registers(array_of<std::uint32_t, Words> const& registers, Dst&& dst) {
  using D = std::remove_cvref_t<Dst>;
  using Element = typename D::value_type;
  constexpr int values = 32 * Words / sizeof_bits_v<Element>;
  if constexpr (contiguous_elements<typename D::layout_type> >= values) {
    auto const words = recast_ptr<word<32>>(first_element(dst));
    TILEWRIGHT_UNROLL
    for (int i = 0; i < Words; ++i) words[i] = word<32>{{registers[i]}};
  } else {
    auto mine = make_tensor<Element>(Shape<C<values>>{});
    put_registers<Words>(registers, mine);
    TILEWRIGHT_UNROLL
    for (int i = 0; i < values; ++i) dst(i) = mine(i);
  }
}
template <int Words, class Src>
TILEWRIGHT_FN void get_registers(Src const& src, array_of<std::uint32_t, Words>& registers) {
  using Element = typename Src::value_type;
  constexpr int values = 32 * Words / sizeof_bits_v<Element>;
  if constexpr (contiguous_elements<typename Src::layout_type> >= values) {
    auto const words = recast_ptr<word<32>>(first_element(src));
    TILEWRIGHT_UNROLL
    for (int i = 0; i < Words; ++i) registers[i] = word<32>(words[i]).units[0];
  } else {
    auto mine = make_tensor<Element>(Shape<C<values>>{});
    TILEWRIGHT_UNROLL
    for (int i = 0; i < values; ++i) mine(i) = static_cast<Element>(src(i));
    get_registers<Words>(mine, registers);
  }
}

template <class T>
inline constexpr bool holds_a_whole_row =
    contiguous_elements<typename T::layout_type>* sizeof_bits_v<typename T::value_type> >= 128;

}  // namespace tilewright::detail
