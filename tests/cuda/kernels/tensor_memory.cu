// archs: 100a
// Each instruction on tensor memory once: copies of every shape, products of every kind, of one and of two blocks. ptxas is the judge
// of their spelling; sm_100a is not run here.
#include "tilewright/algorithm/gemm.hpp"
#include "tilewright/atom/ptx/tma_pair.hpp"
#include "tilewright/atom/tmem_allocator.hpp"
#include "tilewright/mma/sm100_block_scaled.hpp"
#include "tilewright/mma/sm100_names.hpp"
#include "tilewright/mma/umma_copy.hpp"
#include "tilewright/tiled/make_tmem_copy.hpp"

using namespace tilewright;

template <class Load>
__device__ void copy_back_and_forth(std::uint32_t address) {
  typename Load::DRegisters r;
  Load::run(address, r);
  fence_view_async_tmem_load();
  decltype(TMEM::tmem_load_to_store(Load{}))::run(r, address);
  fence_view_async_tmem_store();
}
extern "C" __global__ void copies(std::uint32_t address) {
#define TILEWRIGHT_X(NAME, SHAPE, REPEAT)               \
  copy_back_and_forth<SM100_TMEM_LOAD_##NAME>(address); \
  copy_back_and_forth<SM100_TMEM_LOAD_##NAME##_16b>(address);
#include "tilewright/atom/tmem_copies.def"
#undef TILEWRIGHT_X
}

template <class... Ops>
__device__ void products(std::uint64_t a, std::uint64_t b, std::uint32_t c) {
  (Ops::fma(static_cast<typename Ops::operand_a>(a), b, c, 1u, UMMA::make_runtime_instr_desc(Ops::instruction())), ...);
}
template <class... Ops>
__device__ void scaled_products(std::uint64_t a, std::uint64_t b, std::uint32_t c) {
  (Ops::fma(a, b, c, 1u, UMMA::make_runtime_instr_desc_block_scaled(Ops::instruction(), c, c), c + 256, c + 320), ...);
}
constexpr auto K = UMMA::Major::K, MN = UMMA::Major::MN;
using eighth = float_e4m3_t;
using quarter = UMMA::in_a_byte<float_e2m1_t>;
using byte = std::int8_t;

extern "C" __global__ void of_one_block(std::uint64_t a, std::uint64_t b, std::uint32_t* base, std::uint64_t* barrier) {
  TMEM::Allocator1Sm const allocator;
  allocator.allocate(512, base);
  products<SM100_MMA_F16BF16_SS<half_t, half_t, float, 128, 256, K, MN>,
           SM100_MMA_F16BF16_TS<bfloat16_t, bfloat16_t, float, 128, 128, K, K>,
           SM100_MMA_F16BF16_SS_SCALED<half_t, half_t, half_t, 64, 64, MN, K, 4>,
           SM100_MMA_F16BF16_TS_SCALED<half_t, half_t, float, 64, 64, K, K, 15>,
           SM100_MMA_TF32_SS<tfloat32_t, tfloat32_t, float, 128, 64, K, K>,
           SM100_MMA_TF32_TS<tfloat32_t, tfloat32_t, float, 128, 64, K, K>,
           SM100_MMA_F8F6F4_SS<eighth, float_e5m2_t, float, 128, 64, K, K>,
           SM100_MMA_F8F6F4_TS<eighth, eighth, half_t, 128, 64, K, K>,
           SM100_MMA_S8_SS<byte, std::uint8_t, std::int32_t, 128, 64, K, K, UMMA::Saturate::True>,
           SM100_MMA_S8_TS<byte, byte, std::int32_t, 128, 64, K, K>>(a, b, *base);
  scaled_products<SM100_MMA_MXF8F6F4_SS<eighth, float_e5m2_t, float, float_ue8m0_t, 128, 64, K, MN>,
                  SM100_MMA_MXF8F6F4_SS<quarter, UMMA::in_a_byte<float_e3m2_t>, float, float_ue8m0_t, 128, 64, K, K>,
                  SM100_MMA_MXF4_SS<float_e2m1_t, float_e2m1_t, float, float_ue8m0_t, 128, 64, 32, K, K>,
                  SM100_MMA_MXF4_SS<float_e2m1_t, float_e2m1_t, float, float_ue4m3_t, 128, 64, 16, K, K>>(a, b, *base);
  SM100_UTCCP_128dp256bit_1cta::copy(a, *base);
  SM100_UTCCP_4dp256bit_1cta::copy(a, *base);
  SM100_UTCCP_128dp128bit_1cta::copy(a, *base);
  SM100_UTCCP_4x32dp128bit_1cta::copy(a, *base);
  SM100_UTCCP_2x64dp128bitlw0213_1cta::copy(a, *base);
  SM100_UTCCP_2x64dp128bitlw0123_1cta::copy(a, *base);
  umma_arrive(barrier);
  umma_arrive_multicast(barrier, 3);
  tcgen05_before_thread_sync();
  tcgen05_after_thread_sync();
  allocator.release_allocation_lock();
  allocator.free(*base, 512);
}
extern "C" __global__ void of_two_blocks(std::uint64_t a, std::uint64_t b, std::uint32_t* base, std::uint64_t* barrier,
                                         void const* map, void* smem) {
  TMEM::Allocator2Sm const allocator;
  allocator.allocate(512, base);
  products<SM100_MMA_F16BF16_2x1SM_SS<half_t, half_t, float, 256, 256, K, MN>,
           SM100_MMA_F16BF16_2x1SM_TS<bfloat16_t, bfloat16_t, float, 256, 128, K, K>,
           SM100_MMA_F16BF16_2x1SM_SS_SCALED<half_t, half_t, half_t, 128, 64, MN, K, 4>,
           SM100_MMA_TF32_2x1SM_SS<tfloat32_t, tfloat32_t, float, 256, 64, K, K>,
           SM100_MMA_TF32_2x1SM_TS<tfloat32_t, tfloat32_t, float, 256, 64, K, K>,
           SM100_MMA_F8F6F4_2x1SM_SS<eighth, float_e5m2_t, float, 256, 64, K, K>,
           SM100_MMA_F8F6F4_2x1SM_TS<eighth, eighth, half_t, 256, 64, K, K>,
           SM100_MMA_S8_2x1SM_SS<byte, std::uint8_t, std::int32_t, 256, 64, K, K>,
           SM100_MMA_S8_2x1SM_TS<byte, byte, std::int32_t, 256, 64, K, K>>(a, b, *base);
  scaled_products<SM100_MMA_MXF8F6F4_2x1SM_SS<eighth, eighth, float, float_ue8m0_t, 256, 64, K, K>,
                  SM100_MMA_MXF4_2x1SM_SS<float_e2m1_t, float_e2m1_t, float, float_ue8m0_t, 256, 64, 32, K, K>,
                  SM100_MMA_MXF4_2x1SM_SS<float_e2m1_t, float_e2m1_t, float, float_ue4m3_t, 256, 64, 16, K, K>>(a, b,
                                                                                                                *base);
  SM100_UTCCP_4x32dp128bit_2cta::copy(a, *base);
  umma_arrive<2>(barrier);
  umma_arrive_multicast<2>(barrier, 3);
#if TILEWRIGHT_ON_DEVICE
  ptx::tma_load_pair(map, {1}, smem, barrier, 0);
  ptx::tma_load_pair(map, {1, 2}, smem, barrier, 0);
  ptx::tma_load_pair(map, {1, 2, 3}, smem, barrier, 0);
  ptx::tma_load_pair(map, {1, 2, 3, 4}, smem, barrier, 0);
  ptx::tma_load_pair(map, {1, 2, 3, 4, 5}, smem, barrier, 0);
  ptx::tma_load_pair_multicast(map, {1}, smem, barrier, 3, 0);
  ptx::tma_load_pair_multicast(map, {1, 2}, smem, barrier, 3, 0);
  ptx::tma_load_pair_multicast(map, {1, 2, 3}, smem, barrier, 3, 0);
  ptx::tma_load_pair_multicast(map, {1, 2, 3, 4}, smem, barrier, 3, 0);
  ptx::tma_load_pair_multicast(map, {1, 2, 3, 4, 5}, smem, barrier, 3, 0);
#endif
  allocator.release_allocation_lock();
  allocator.free(*base, 512);
}
