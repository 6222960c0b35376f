// Epilogue<…>, by the header that CUTLASS has it in.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/epilogue/collective/epilogue.hpp"
