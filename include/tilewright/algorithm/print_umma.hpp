// print of the descriptors of Blackwell's products, as CuTe prints them.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/algorithm/print.hpp"
#include "tilewright/mma/umma_operands.hpp"

namespace tilewright::UMMA {

TILEWRIGHT_FN void print(SmemDescriptor const& d) {
  printf("UMMA::SmemDescriptor: 0x%016llx\n", static_cast<unsigned long long>(d.desc_));
  printf("  start_addr :  0x%04x\n", static_cast<unsigned>(d.start_address_));
  printf("  leading_off:  0x%04x (%d)\n", static_cast<unsigned>(d.leading_byte_offset_),
         static_cast<int>(d.leading_byte_offset_));
  printf("  stride_off :  0x%04x (%d)\n", static_cast<unsigned>(d.stride_byte_offset_),
         static_cast<int>(d.stride_byte_offset_));
  printf("  base_offset:  0x%01x\n", static_cast<unsigned>(d.base_offset_));
  printf("  layout_type:  0x%01x (%s)\n", static_cast<unsigned>(d.layout_type_),
         to_string(static_cast<LayoutType>(d.layout_type_)));
}
TILEWRIGHT_FN void print(DescriptorIterator const&) { printf("UMMA::DescriptorIterator"); }

}  // namespace tilewright::UMMA
