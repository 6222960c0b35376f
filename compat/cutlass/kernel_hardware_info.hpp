// The older name of kernel_hardware_info.h.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/kernel_hardware_info.h"
