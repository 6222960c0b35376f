// The traits of cp.async.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy_sm80.hpp"
#include "cute/atom/copy_traits.hpp"
