// A movement as the arguments of the precompiled kernel.
#pragma once

#include "engine/cuda/generic_copy.hpp"
#include "tilewright/plan/movement.hpp"

namespace tilewright::gpu {

/// Fewer elements than this are counted in 32 bits.
inline constexpr std::int64_t narrow_index_limit = std::int64_t(1) << 30;

inline bool has_narrow_index(movement const& m) { return m.elements < narrow_index_limit; }

/// What one thread moves at once.
int elements_at_once(int element_bits);

/// post: src, dst null and half 0, for the caller to fill in
/// error: copy_error bad_layout for more modes than any memory has room for
generic_arguments arguments_of(movement const& m);

/// The name of the kernel in generic_copy.cu for the movement's elements and number of them: "tilewright_copy_32_64".
char const* generic_kernel_name(movement const& m);

}  // namespace tilewright::gpu
