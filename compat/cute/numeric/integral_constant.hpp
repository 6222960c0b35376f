// Compile-time integers and the questions one asks of them: Int<N>, _N, `_c` literals, is_constant, is_integral.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/util/type_traits.hpp"
#include "tilewright/ints/constant.hpp"

namespace cute {

// Programs name the operators of constants (using cute::operator<).
using tilewright::operator!;
using tilewright::operator!=;
using tilewright::operator%;
using tilewright::operator&;
using tilewright::operator&&;
using tilewright::operator*;
using tilewright::operator+;
using tilewright::operator-;
using tilewright::operator/;
using tilewright::operator<;
using tilewright::operator<<;
using tilewright::operator<=;
using tilewright::operator==;
using tilewright::operator>;
using tilewright::operator>=;
using tilewright::operator>>;
using tilewright::operator^;
using tilewright::operator|;
using tilewright::operator||;
using tilewright::operator~;

using tilewright::_0;
using tilewright::_1;
using tilewright::_10;
using tilewright::_1024;
using tilewright::_104;
using tilewright::_11;
using tilewright::_112;
using tilewright::_12;
using tilewright::_120;
using tilewright::_128;
using tilewright::_13;
using tilewright::_136;
using tilewright::_14;
using tilewright::_144;
using tilewright::_15;
using tilewright::_152;
using tilewright::_16;
using tilewright::_160;
using tilewright::_16384;
using tilewright::_168;
using tilewright::_176;
using tilewright::_184;
using tilewright::_192;
using tilewright::_2;
using tilewright::_20;
using tilewright::_200;
using tilewright::_2048;
using tilewright::_208;
using tilewright::_216;
using tilewright::_224;
using tilewright::_232;
using tilewright::_24;
using tilewright::_240;
using tilewright::_248;
using tilewright::_256;
using tilewright::_28;
using tilewright::_3;
using tilewright::_32;
using tilewright::_320;
using tilewright::_32768;
using tilewright::_36;
using tilewright::_384;
using tilewright::_4;
using tilewright::_40;
using tilewright::_4096;
using tilewright::_448;
using tilewright::_48;
using tilewright::_5;
using tilewright::_512;
using tilewright::_56;
using tilewright::_576;
using tilewright::_6;
using tilewright::_64;
using tilewright::_640;
using tilewright::_65536;
using tilewright::_7;
using tilewright::_704;
using tilewright::_72;
using tilewright::_768;
using tilewright::_8;
using tilewright::_80;
using tilewright::_8192;
using tilewright::_832;
using tilewright::_88;
using tilewright::_896;
using tilewright::_9;
using tilewright::_96;
using tilewright::_960;
using tilewright::_m1;
using tilewright::C;
using tilewright::false_type;
using tilewright::Int;
using tilewright::true_type;

using namespace tilewright::literals;

template <class T, T v>
using integral_constant = C<v>;
template <bool b>
using bool_constant = C<b>;
template <auto v>
using constant = C<v>;

/// An integer of either kind.
template <class T>
struct is_integral : bool_constant<std::is_integral_v<T> || tilewright::is_constant_v<T>> {};
template <class T>
inline constexpr bool is_integral_v = is_integral<T>::value;

/// Is T the constant n?
template <auto n, class T>
struct is_constant : false_type {};
template <auto n, auto v>
struct is_constant<n, C<v>> : bool_constant<(v == n)> {};
template <auto n, class T>
struct is_constant<n, T const> : is_constant<n, T> {};
template <auto n, class T>
struct is_constant<n, T&> : is_constant<n, T> {};

/// Known at compile time?
template <class T>
struct is_static : bool_constant<std::is_empty_v<std::remove_cvref_t<T>>> {};
template <class T>
inline constexpr bool is_static_v = is_static<T>::value;

template <auto v>
CUTE_HOST_DEVICE constexpr C<v> static_value(C<v> const&) {
  return {};
}
template <class T>
CUTE_HOST_DEVICE constexpr auto static_value() {
  return C<T::value>{};
}

template <auto n, class T>
inline constexpr bool is_constant_v = is_constant<n, T>::value;

using _m2 = Int<-2>;
using _m3 = Int<-3>;
using _m4 = Int<-4>;
using _m5 = Int<-5>;
using _m6 = Int<-6>;
using _m7 = Int<-7>;
using _m8 = Int<-8>;
using _m9 = Int<-9>;
using _m10 = Int<-10>;
using _m12 = Int<-12>;
using _m16 = Int<-16>;
using _m24 = Int<-24>;
using _m32 = Int<-32>;
using _131072 = Int<131072>;
using _262144 = Int<262144>;
using _524288 = Int<524288>;

}  // namespace cute
