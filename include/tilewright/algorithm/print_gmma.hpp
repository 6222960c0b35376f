// print of a warpgroup's descriptors, as CuTe prints them: a fragment is GMMA::DescriptorIterator o (_1,_2,_4):(_0,_512,_2).
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/algorithm/print.hpp"
#include "tilewright/mma/gmma_descriptor.hpp"

namespace tilewright::SM90::GMMA {

TILEWRIGHT_FN void print(DescriptorIterator const&) { printf("GMMA::DescriptorIterator"); }

}  // namespace tilewright::SM90::GMMA
