// The descriptors of Blackwell's products (tcgen05), and tensors of them.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/config.hpp"
#include "cute/numeric/math.hpp"
#include "cutlass/numeric_types.h"
#include "tilewright/mma/umma_descriptor.hpp"
#include "tilewright/mma/umma_operands.hpp"

namespace cute::UMMA {
using namespace tilewright::UMMA;
}

namespace cutlass::detail {
using float_e2m1_unpacksmem_t = tilewright::UMMA::in_a_byte<cute::float_e2m1_t>;
using float_e2m3_unpacksmem_t = tilewright::UMMA::in_a_byte<cute::float_e2m3_t>;
using float_e3m2_unpacksmem_t = tilewright::UMMA::in_a_byte<cute::float_e3m2_t>;
using type_erased_dynamic_float4_unpacksmem_t = tilewright::UMMA::in_a_byte<type_erased_dynamic_float4_t>;
using type_erased_dynamic_float6_unpacksmem_t = tilewright::UMMA::in_a_byte<type_erased_dynamic_float6_t>;
}  // namespace cutlass::detail
