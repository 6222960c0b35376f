// CUTLASS's header of comparisons, for programs that take relatively_equal from it; its comparisons of TensorViews are not here.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/relatively_equal.h"
