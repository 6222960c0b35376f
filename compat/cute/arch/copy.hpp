// The copies every machine has.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/util.hpp"
#include "tilewright/atom/universal.hpp"

namespace cute {

using tilewright::AutoVectorizingCopy;
using tilewright::AutoVectorizingCopyWithAssumedAlignment;
using tilewright::DefaultCopy;
using tilewright::UniversalCopy;

}  // namespace cute
