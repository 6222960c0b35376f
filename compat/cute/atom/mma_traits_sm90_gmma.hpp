// The traits of the matrix operations of a warpgroup, the shared-memory tiles that they and TMA agree on, and the descriptors
// of such tiles: the names of tilewright/mma/sm90_gmma.hpp, gmma_layouts.hpp and gmma_descriptor.hpp.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm90.hpp"
#include "cute/atom/mma_traits.hpp"
#include "cute/swizzle_layout.hpp"
#include "cute/tensor_impl.hpp"
#include "cute/util/print.hpp"
#include "tilewright/algorithm/print_gmma.hpp"
#include "tilewright/mma/gmma_layouts.hpp"

namespace cute {

CUTE_HOST_DEVICE void print(GmmaDescriptor const& d) {
  printf("GmmaDescriptor: 0x%016llx\n", static_cast<unsigned long long>(d.desc_));
  printf("  start_addr :  0x%04x\n", static_cast<unsigned>(d.bitfield.start_address_));
  printf("  leading_off:  0x%04x (%d)\n", static_cast<unsigned>(d.bitfield.leading_byte_offset_),
         static_cast<int>(d.bitfield.leading_byte_offset_));
  printf("  stride_off :  0x%04x (%d)\n", static_cast<unsigned>(d.bitfield.stride_byte_offset_),
         static_cast<int>(d.bitfield.stride_byte_offset_));
  printf("  base_offset:  0x%01x\n", static_cast<unsigned>(d.bitfield.base_offset_));
  printf("  layout_type:  0x%01x (%s)\n", static_cast<unsigned>(d.bitfield.layout_type_),
         to_string(static_cast<SM90::GMMA::LayoutType>(d.bitfield.layout_type_)));
}

}  // namespace cute
