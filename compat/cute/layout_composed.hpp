// Composed layouts, swizzle ∘ offset ∘ layout.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/swizzle.hpp"

namespace cute {

using tilewright::ComposedLayout;
using tilewright::make_composed_layout;

}  // namespace cute
