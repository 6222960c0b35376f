// The epilogues of kernels.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/epilogue/collective/default_epilogue.hpp"
#include "cutlass/epilogue/collective/detail.hpp"
#include "cutlass/epilogue/collective/epilogue.hpp"
#include "cutlass/epilogue/collective/sm90_epilogue_by_threads.hpp"
#include "cutlass/epilogue/collective/sm90_epilogue_by_tma.hpp"
#include "cutlass/epilogue/fusion/sm90_visitor_tma_warpspecialized.hpp"
