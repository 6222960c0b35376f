// The factors of LinearCombination, which are in its own header here.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/epilogue/thread/linear_combination.h"
