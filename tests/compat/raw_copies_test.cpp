// Copy operations called by themselves, without a traits class or a tensor.
#include <gtest/gtest.h>
#include <cute/tensor.hpp>

using namespace cute;

namespace {

template <class Operation>
int copied(bool pred) {
  alignas(16) int from[4] = {1, 2, 3, 4}, to[4] = {9, 9, 9, 9};
  Operation::copy(*reinterpret_cast<uint128_t const*>(from), *reinterpret_cast<uint128_t*>(to), pred);
  cp_async_fence();
  cp_async_wait<0>();
  return to[0] * 1000 + to[1] * 100 + to[2] * 10 + to[3];
}

TEST(compat_raw_copies, cp_async_fills_with_zeros) {
  EXPECT_EQ(copied<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>>(true), 1234);
  EXPECT_EQ(copied<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>>(false), 0);
  EXPECT_EQ(copied<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint128_t>>(true), 1234);
  EXPECT_EQ(copied<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint128_t>>(false), 0);
}

TEST(compat_raw_copies, cp_async_of_one_element) {
  float const from = 2.5f;
  float to = 0;
  SM80_CP_ASYNC_CACHEALWAYS<float>::copy(from, to);
  cp_async_fence();
  cp_async_wait<0>();
  EXPECT_EQ(to, 2.5f);
}

TEST(compat_raw_copies, slices_with_their_offset_are_printed) {
  testing::internal::CaptureStdout();
  print(slice_and_offset(make_coord(1, _), Layout<Shape<_2, _4>>{}));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "((_4):(_2),1)");
}

/// What an operation takes and gives, by which programs say how many registers it has.
template <class Operation, class Source, class Destination>
constexpr bool registers_are = std::is_same_v<typename Operation::SRegisters, Source>&&
    std::is_same_v<typename Operation::DRegisters, Destination>;
static_assert(registers_are<UniversalCopy<float>, float[1], float[1]>);
static_assert(registers_are<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, uint128_t[1], uint128_t[1]>);
static_assert(registers_are<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>, uint128_t[1], uint128_t[1]>);
static_assert(registers_are<SM75_U32x4_LDSM_N, uint128_t[1], std::uint32_t[4]>);
static_assert(registers_are<SM75_U16x4_LDSM_T, uint128_t[1], std::uint32_t[2]>);
static_assert(registers_are<SM90_U32x2_STSM_N, std::uint32_t[2], uint128_t[1]>);
static_assert(registers_are<SM75_U32x1_MOVM_T, std::uint32_t[1], std::uint32_t[1]>);

}  // namespace
