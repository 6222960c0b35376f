// Functions of an epilogue: named ones, and trees.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/epilogue/fusion/operations.hpp"
#include "cutlass/epilogue/fusion/sm90_visitors.hpp"
