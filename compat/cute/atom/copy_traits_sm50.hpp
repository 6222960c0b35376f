// The traits of shuffles.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy_sm50.hpp"
#include "cute/atom/copy_traits.hpp"
