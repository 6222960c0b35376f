// What the table of matrix operations is made of.
#pragma once

#include "tilewright/algebra/to_value.hpp"
#include "tilewright/mma/mma_atom.hpp"
#include "tilewright/render/mma_atoms.hpp"
#include "tilewright/tensor/sparse.hpp"

namespace tilewright::render {

template <class T>
std::string type_name() {
  if constexpr (std::is_same_v<T, half_t>) return "f16";
  else if constexpr (std::is_same_v<T, bfloat16_t>) return "bf16";
  else if constexpr (std::is_same_v<T, tfloat32_t>) return "tf32";
  else if constexpr (std::is_same_v<T, float_e4m3_t>) return "e4m3";
  else if constexpr (std::is_same_v<T, float_e5m2_t>) return "e5m2";
  else if constexpr (std::is_floating_point_v<T>) return "f" + std::to_string(sizeof_bits_v<T>);
  else if constexpr (is_sparse_v<T>) return type_name<typename T::raw_type>();
  else if constexpr (is_subbyte_v<T>)
    return (static_cast<int>(T(-1)) < 0 ? "s" : "u") + std::to_string(sizeof_bits_v<T>);
  else return (std::is_signed_v<T> ? "s" : "u") + std::to_string(sizeof_bits_v<T>);
}

/// The maps of MMA_Traits<Op>.
template <class Op>
mma_maps maps_of(char const* name) {
  using traits = MMA_Traits<Op>;
  using shape = typename traits::Shape_MNK;
  mma_maps out;
  out.name = out.family = name;
  out.m = tuple_element_t<0, shape>::value;
  out.n = tuple_element_t<1, shape>::value;
  out.k = tuple_element_t<2, shape>::value;
  out.type_a = type_name<typename traits::ValTypeA>();
  out.type_b = type_name<typename traits::ValTypeB>();
  out.type_c = type_name<typename traits::ValTypeC>();
  out.threads = to_value(typename traits::ThrID{});
  out.a = to_value(typename traits::ALayout{});
  out.b = to_value(typename traits::BLayout{});
  out.c = to_value(typename traits::CLayout{});
  return out;
}

/// SM90_64x8x16_F16F16F16_SS … and GMMA_64x8x32_F16F16F16_SS …, those with a sparse A, for every N.
std::vector<mma_maps> warpgroup_operations();

}  // namespace tilewright::render
