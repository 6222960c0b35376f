// MMA atoms, tiled matrix operations and a thread's slice of one. As with CuTe, a program that includes this header has all of
// cute/tensor.hpp.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/tensor.hpp"
