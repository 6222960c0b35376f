// Which instructions a program may use is decided by the atoms themselves (tilewright/atom/).
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/config.hpp"
