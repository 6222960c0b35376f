// Texts that the compiler puts into an instruction ("C" operands, CUDA 12.4 or later), so that a family of instructions is not
// listed one by one.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/tensor/small_float.hpp"

namespace tilewright::ptx {

/// A text for the assembler.
template <char... c>
struct chars {
  static constexpr char value[] = {c..., 0};
};
template <class... Chars>
struct joined;
template <char... a>
struct joined<chars<a...>> {
  using type = chars<a...>;
};
template <char... a, char... b, class... More>
struct joined<chars<a...>, chars<b...>, More...> : joined<chars<a..., b...>, More...> {};

template <class T>
struct element_chars;
template <>
struct element_chars<float> {
  using type = chars<'.', 'f', '3', '2'>;
};
template <>
struct element_chars<half_t> {
  using type = chars<'.', 'f', '1', '6'>;
};
template <>
struct element_chars<bfloat16_t> {
  using type = chars<'.', 'b', 'f', '1', '6'>;
};
template <>
struct element_chars<tfloat32_t> {
  using type = chars<'.', 't', 'f', '3', '2'>;
};
template <>
struct element_chars<float_e4m3_t> {
  using type = chars<'.', 'e', '4', 'm', '3'>;
};
template <>
struct element_chars<float_e5m2_t> {
  using type = chars<'.', 'e', '5', 'm', '2'>;
};
template <>
struct element_chars<float_e2m3_t> {
  using type = chars<'.', 'e', '2', 'm', '3'>;
};
template <>
struct element_chars<float_e3m2_t> {
  using type = chars<'.', 'e', '3', 'm', '2'>;
};
template <>
struct element_chars<float_e2m1_t> {
  using type = chars<'.', 'e', '2', 'm', '1'>;
};
template <>
struct element_chars<std::int32_t> {
  using type = chars<'.', 's', '3', '2'>;
};
template <>
struct element_chars<std::int8_t> {
  using type = chars<'.', 's', '8'>;
};
template <>
struct element_chars<std::uint8_t> {
  using type = chars<'.', 'u', '8'>;
};

/// A number in decimal.
template <int N, bool HasOneDigit = (N < 10)>
struct number_chars {
  using type = typename joined<typename number_chars<N / 10>::type, chars<static_cast<char>('0' + N % 10)>>::type;
};
template <int N>
struct number_chars<N, true> {
  using type = chars<static_cast<char>('0' + N)>;
};

/// ", 1", ", -1" or ", 0"
template <int Value>
using immediate_chars = std::conditional_t<(Value < 0), chars<',', ' ', '-', '1'>,
                                           std::conditional_t<Value == 0, chars<',', ' ', '0'>, chars<',', ' ', '1'>>>;

}  // namespace tilewright::ptx
