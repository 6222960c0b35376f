// Which factors a linear combination has.
#pragma once

#include "tilewright/base/config.hpp"

namespace cutlass::epilogue::thread {

struct ScaleType {
  enum Kind {
    Default,                     // alpha * accumulator + beta * source
    NoBetaScaling,               // alpha * accumulator + source
    OnlyAlphaScaling,            // alpha * accumulator
    PerChannelScaling,           // the same as Default with a factor for each channel
    OnlyAlphaPerChannelScaling,  // the same as OnlyAlphaScaling with a factor for each channel
    Nothing                      // the accumulator
  };
};

}  // namespace cutlass::epilogue::thread
