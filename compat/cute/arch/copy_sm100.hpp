// Copies between tensor memory and registers, by both of CuTe's names: SM100_TMEM_LOAD_32dp32b1x and
// SM100::TMEM::LOAD::SM100_TMEM_LOAD_32dp32b1x; and those from shared memory by a descriptor.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy.hpp"
#include "cute/arch/tmem_allocator_sm100.hpp"
#include "tilewright/atom/global_copy.hpp"
#include "tilewright/atom/tmem_copy.hpp"
#include "tilewright/mma/umma_copy.hpp"

template <class T>
inline constexpr bool tilewright::detail::may_be_global<T*> = true;
template <class T>
inline constexpr bool tilewright::detail::may_be_global<tilewright::subbyte_iterator<T>> = true;

namespace cute {

using tilewright::SM100_LOAD_256bit_CACHE_NOALLOCATION;
using tilewright::SM100_STORE_256bit_CACHE_NOALLOCATION;

namespace SM100::TMEM {
namespace LOAD {
#define TILEWRIGHT_X(NAME, SHAPE, REPEAT)   \
  using tilewright::SM100_TMEM_LOAD_##NAME; \
  using tilewright::SM100_TMEM_LOAD_##NAME##_16b;
#include "tilewright/atom/tmem_copies.def"
#undef TILEWRIGHT_X
}  // namespace LOAD
namespace STORE {
#define TILEWRIGHT_X(NAME, SHAPE, REPEAT)    \
  using tilewright::SM100_TMEM_STORE_##NAME; \
  using tilewright::SM100_TMEM_STORE_##NAME##_16b;
#include "tilewright/atom/tmem_copies.def"
#undef TILEWRIGHT_X
}  // namespace STORE
namespace UTCCP {
#define TILEWRIGHT_X(NAME, SHAPE)              \
  using tilewright::SM100_UTCCP_##NAME##_1cta; \
  using tilewright::SM100_UTCCP_##NAME##_2cta;
#include "tilewright/mma/umma_copies.def"
#undef TILEWRIGHT_X
}  // namespace UTCCP
}  // namespace SM100::TMEM
using namespace SM100::TMEM::LOAD;
using namespace SM100::TMEM::STORE;
using namespace SM100::TMEM::UTCCP;

}  // namespace cute
