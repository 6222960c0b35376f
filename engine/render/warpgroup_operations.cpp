// The matrix operations of a warpgroup for the table of operations: one row for each of their types, for every N.
#include "engine/render/mma_table.hpp"
#include "tilewright/algebra/to_value.hpp"
#include "tilewright/mma/sm90_sparse_gmma_names.hpp"

#include <map>

namespace tilewright::render {
namespace {

using M = SM90::GMMA::Major;
namespace SP = SM90::GMMA::SPARSE;

/// The operations of one spelling: 64 x N x K.
struct family {
  std::string name;  // behind "SM90_64xNx", "GMMA_64xNx" of a sparse A
  bool is_sparse;
  bool is_integer;  // the N of gmma_integer_n.def
  mma_maps at_8;    // of N = 8
};
template <class Op>
family family_of(char const* name) {
  mma_maps maps = maps_of<Op>("");
  maps.a_is_shared = std::is_same_v<typename Op::ARegisters, std::uint64_t[1]>;
  maps.b_is_shared = true;
  constexpr bool is_sparse = is_sparse_v<typename MMA_Traits<Op>::ValTypeA>;
  return {name, is_sparse, std::is_integral_v<typename MMA_Traits<Op>::ValTypeD>, std::move(maps)};
}

/// The maps that depend on N: those of B, for each K, and of C.
struct maps_of_n {
  layout_value b8, b16, b32, b64, c;
};
template <int N>
maps_of_n of_n() {
  return {to_value(SM90::GMMA::ABLayout<N, 8>{}), to_value(SM90::GMMA::ABLayout<N, 16>{}),
          to_value(SM90::GMMA::ABLayout<N, 32>{}), to_value(SM90::GMMA::ABLayout<N, 64>{}),
          to_value(SM90::GMMA::CLayout_64xN<N>{})};
}

std::vector<family> dense_families() {
  return {
      family_of<SM90_64x8x16_F16F16F16_RS<M::K, M::K>>("16_F16F16F16_RS"),
      family_of<SM90_64x8x16_F16F16F16_SS<M::K, M::K>>("16_F16F16F16_SS"),
      family_of<SM90_64x8x16_F32BF16BF16_RS<M::K, M::K>>("16_F32BF16BF16_RS"),
      family_of<SM90_64x8x16_F32BF16BF16_SS<M::K, M::K>>("16_F32BF16BF16_SS"),
      family_of<SM90_64x8x16_F32F16F16_RS<M::K, M::K>>("16_F32F16F16_RS"),
      family_of<SM90_64x8x16_F32F16F16_SS<M::K, M::K>>("16_F32F16F16_SS"),
      family_of<SM90_64x8x32_F16E4M3E4M3_RS_TN<>>("32_F16E4M3E4M3_RS_TN"),
      family_of<SM90_64x8x32_F16E4M3E4M3_SS_TN<>>("32_F16E4M3E4M3_SS_TN"),
      family_of<SM90_64x8x32_F16E4M3E5M2_RS_TN<>>("32_F16E4M3E5M2_RS_TN"),
      family_of<SM90_64x8x32_F16E4M3E5M2_SS_TN<>>("32_F16E4M3E5M2_SS_TN"),
      family_of<SM90_64x8x32_F16E5M2E4M3_RS_TN<>>("32_F16E5M2E4M3_RS_TN"),
      family_of<SM90_64x8x32_F16E5M2E4M3_SS_TN<>>("32_F16E5M2E4M3_SS_TN"),
      family_of<SM90_64x8x32_F16E5M2E5M2_RS_TN<>>("32_F16E5M2E5M2_RS_TN"),
      family_of<SM90_64x8x32_F16E5M2E5M2_SS_TN<>>("32_F16E5M2E5M2_SS_TN"),
      family_of<SM90_64x8x32_F32E4M3E4M3_RS_TN<>>("32_F32E4M3E4M3_RS_TN"),
      family_of<SM90_64x8x32_F32E4M3E4M3_SS_TN<>>("32_F32E4M3E4M3_SS_TN"),
      family_of<SM90_64x8x32_F32E4M3E5M2_RS_TN<>>("32_F32E4M3E5M2_RS_TN"),
      family_of<SM90_64x8x32_F32E4M3E5M2_SS_TN<>>("32_F32E4M3E5M2_SS_TN"),
      family_of<SM90_64x8x32_F32E5M2E4M3_RS_TN<>>("32_F32E5M2E4M3_RS_TN"),
      family_of<SM90_64x8x32_F32E5M2E4M3_SS_TN<>>("32_F32E5M2E4M3_SS_TN"),
      family_of<SM90_64x8x32_F32E5M2E5M2_RS_TN<>>("32_F32E5M2E5M2_RS_TN"),
      family_of<SM90_64x8x32_F32E5M2E5M2_SS_TN<>>("32_F32E5M2E5M2_SS_TN"),
      family_of<SM90_64x8x32_S32S8S8_RS_TN>("32_S32S8S8_RS_TN"),
      family_of<SM90_64x8x32_S32S8S8_RS_TN_SATURATE>("32_S32S8S8_RS_TN_SATURATE"),
      family_of<SM90_64x8x32_S32S8S8_SS_TN>("32_S32S8S8_SS_TN"),
      family_of<SM90_64x8x32_S32S8S8_SS_TN_SATURATE>("32_S32S8S8_SS_TN_SATURATE"),
      family_of<SM90_64x8x32_S32S8U8_RS_TN>("32_S32S8U8_RS_TN"),
      family_of<SM90_64x8x32_S32S8U8_RS_TN_SATURATE>("32_S32S8U8_RS_TN_SATURATE"),
      family_of<SM90_64x8x32_S32S8U8_SS_TN>("32_S32S8U8_SS_TN"),
      family_of<SM90_64x8x32_S32S8U8_SS_TN_SATURATE>("32_S32S8U8_SS_TN_SATURATE"),
      family_of<SM90_64x8x32_S32U8S8_RS_TN>("32_S32U8S8_RS_TN"),
      family_of<SM90_64x8x32_S32U8S8_RS_TN_SATURATE>("32_S32U8S8_RS_TN_SATURATE"),
      family_of<SM90_64x8x32_S32U8S8_SS_TN>("32_S32U8S8_SS_TN"),
      family_of<SM90_64x8x32_S32U8S8_SS_TN_SATURATE>("32_S32U8S8_SS_TN_SATURATE"),
      family_of<SM90_64x8x32_S32U8U8_RS_TN>("32_S32U8U8_RS_TN"),
      family_of<SM90_64x8x32_S32U8U8_RS_TN_SATURATE>("32_S32U8U8_RS_TN_SATURATE"),
      family_of<SM90_64x8x32_S32U8U8_SS_TN>("32_S32U8U8_SS_TN"),
      family_of<SM90_64x8x32_S32U8U8_SS_TN_SATURATE>("32_S32U8U8_SS_TN_SATURATE"),
      family_of<SM90_64x8x8_F32TF32TF32_RS_TN<>>("8_F32TF32TF32_RS_TN"),
      family_of<SM90_64x8x8_F32TF32TF32_SS_TN<>>("8_F32TF32TF32_SS_TN"),
  };
}

/// Of a sparse A.
std::vector<family> sparse_families() {
  return {
      family_of<SP::GMMA_64x8x16_F32TF32TF32_RS_TN<>>("16_F32TF32TF32_RS_TN"),
      family_of<SP::GMMA_64x8x16_F32TF32TF32_SS_TN<>>("16_F32TF32TF32_SS_TN"),
      family_of<SP::GMMA_64x8x32_F16F16F16_RS<M::K, M::K>>("32_F16F16F16_RS"),
      family_of<SP::GMMA_64x8x32_F16F16F16_SS<M::K, M::K>>("32_F16F16F16_SS"),
      family_of<SP::GMMA_64x8x32_F32BF16BF16_RS<M::K, M::K>>("32_F32BF16BF16_RS"),
      family_of<SP::GMMA_64x8x32_F32BF16BF16_SS<M::K, M::K>>("32_F32BF16BF16_SS"),
      family_of<SP::GMMA_64x8x32_F32F16F16_RS<M::K, M::K>>("32_F32F16F16_RS"),
      family_of<SP::GMMA_64x8x32_F32F16F16_SS<M::K, M::K>>("32_F32F16F16_SS"),
      family_of<SP::GMMA_64x8x64_F16E4M3E4M3_RS_TN<>>("64_F16E4M3E4M3_RS_TN"),
      family_of<SP::GMMA_64x8x64_F16E4M3E4M3_SS_TN<>>("64_F16E4M3E4M3_SS_TN"),
      family_of<SP::GMMA_64x8x64_F16E4M3E5M2_RS_TN<>>("64_F16E4M3E5M2_RS_TN"),
      family_of<SP::GMMA_64x8x64_F16E4M3E5M2_SS_TN<>>("64_F16E4M3E5M2_SS_TN"),
      family_of<SP::GMMA_64x8x64_F16E5M2E4M3_RS_TN<>>("64_F16E5M2E4M3_RS_TN"),
      family_of<SP::GMMA_64x8x64_F16E5M2E4M3_SS_TN<>>("64_F16E5M2E4M3_SS_TN"),
      family_of<SP::GMMA_64x8x64_F16E5M2E5M2_RS_TN<>>("64_F16E5M2E5M2_RS_TN"),
      family_of<SP::GMMA_64x8x64_F16E5M2E5M2_SS_TN<>>("64_F16E5M2E5M2_SS_TN"),
      family_of<SP::GMMA_64x8x64_F32E4M3E4M3_RS_TN<>>("64_F32E4M3E4M3_RS_TN"),
      family_of<SP::GMMA_64x8x64_F32E4M3E4M3_SS_TN<>>("64_F32E4M3E4M3_SS_TN"),
      family_of<SP::GMMA_64x8x64_F32E4M3E5M2_RS_TN<>>("64_F32E4M3E5M2_RS_TN"),
      family_of<SP::GMMA_64x8x64_F32E4M3E5M2_SS_TN<>>("64_F32E4M3E5M2_SS_TN"),
      family_of<SP::GMMA_64x8x64_F32E5M2E4M3_RS_TN<>>("64_F32E5M2E4M3_RS_TN"),
      family_of<SP::GMMA_64x8x64_F32E5M2E4M3_SS_TN<>>("64_F32E5M2E4M3_SS_TN"),
      family_of<SP::GMMA_64x8x64_F32E5M2E5M2_RS_TN<>>("64_F32E5M2E5M2_RS_TN"),
      family_of<SP::GMMA_64x8x64_F32E5M2E5M2_SS_TN<>>("64_F32E5M2E5M2_SS_TN"),
      family_of<SP::GMMA_64x8x64_S32S8S8_RS_TN<>>("64_S32S8S8_RS_TN"),
      family_of<SP::GMMA_64x8x64_S32S8S8_RS_TN_SATURATE<>>("64_S32S8S8_RS_TN_SATURATE"),
      family_of<SP::GMMA_64x8x64_S32S8S8_SS_TN<>>("64_S32S8S8_SS_TN"),
      family_of<SP::GMMA_64x8x64_S32S8S8_SS_TN_SATURATE<>>("64_S32S8S8_SS_TN_SATURATE"),
      family_of<SP::GMMA_64x8x64_S32S8U8_RS_TN<>>("64_S32S8U8_RS_TN"),
      family_of<SP::GMMA_64x8x64_S32S8U8_RS_TN_SATURATE<>>("64_S32S8U8_RS_TN_SATURATE"),
      family_of<SP::GMMA_64x8x64_S32S8U8_SS_TN<>>("64_S32S8U8_SS_TN"),
      family_of<SP::GMMA_64x8x64_S32S8U8_SS_TN_SATURATE<>>("64_S32S8U8_SS_TN_SATURATE"),
      family_of<SP::GMMA_64x8x64_S32U8S8_RS_TN<>>("64_S32U8S8_RS_TN"),
      family_of<SP::GMMA_64x8x64_S32U8S8_RS_TN_SATURATE<>>("64_S32U8S8_RS_TN_SATURATE"),
      family_of<SP::GMMA_64x8x64_S32U8S8_SS_TN<>>("64_S32U8S8_SS_TN"),
      family_of<SP::GMMA_64x8x64_S32U8S8_SS_TN_SATURATE<>>("64_S32U8S8_SS_TN_SATURATE"),
      family_of<SP::GMMA_64x8x64_S32U8U8_RS_TN<>>("64_S32U8U8_RS_TN"),
      family_of<SP::GMMA_64x8x64_S32U8U8_RS_TN_SATURATE<>>("64_S32U8U8_RS_TN_SATURATE"),
      family_of<SP::GMMA_64x8x64_S32U8U8_SS_TN<>>("64_S32U8U8_SS_TN"),
      family_of<SP::GMMA_64x8x64_S32U8U8_SS_TN_SATURATE<>>("64_S32U8U8_SS_TN_SATURATE"),
  };
}

}  // namespace

std::vector<mma_maps> warpgroup_operations() {
  std::map<int, maps_of_n> const all{
#define TILEWRIGHT_X(N) {N, of_n<N>()},
#include "tilewright/mma/gmma_n.def"
#undef TILEWRIGHT_X
  };
  std::vector<int> const integer_n{
#define TILEWRIGHT_X(N) N,
#include "tilewright/mma/gmma_integer_n.def"
#undef TILEWRIGHT_X
  };
  std::vector<mma_maps> out;
  auto const add = [&](family const& f, int n) {
    maps_of_n const& maps = all.at(n);
    mma_maps one = f.at_8;
    std::string const prefix = f.is_sparse ? "GMMA_64x" : "SM90_64x";
    one.name = prefix + std::to_string(n) + "x" + f.name;
    one.family = prefix + "Nx" + f.name;
    one.n = n;
    one.b = one.k == 8 ? maps.b8 : one.k == 16 ? maps.b16 : one.k == 32 ? maps.b32 : maps.b64;
    one.c = maps.c;
    out.push_back(std::move(one));
  };
  for (auto const& families : {dense_families(), sparse_families()})
    for (family const& f : families) {
      if (f.is_integer)
        for (int const n : integer_n) add(f, n);
      else
        for (auto const& [n, maps] : all) add(f, n);
    }
  return out;
}

}  // namespace tilewright::render
