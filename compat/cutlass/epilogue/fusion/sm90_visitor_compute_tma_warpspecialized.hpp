// The computations of trees of functions of an epilogue.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/epilogue/fusion/sm90_visitors.hpp"
