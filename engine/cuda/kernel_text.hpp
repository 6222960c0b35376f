// What the writers of kernels share.
#pragma once

#include "tilewright/plan/copy_plan.hpp"

#include <fmt/format.h>
#include <iterator>
#include <string>
#include <utility>

namespace tilewright::gpu {

template <class... Args>
void line(std::string& out, fmt::format_string<Args...> text, Args&&... args) {
  fmt::format_to(std::back_inserter(out), text, std::forward<Args>(args)...);
  out += '\n';
}

/// The body of a kernel that gathers: each thread puts together vectors of the destination, element by element.
void write_gather(std::string& text, copy_plan const& plan);

/// What a realigned_tile (kernels/cuda/realigned/body.hpp) is made from, and the body of a kernel with one for each block.
void write_realigned_shape(std::string& text, copy_plan const& plan);
void write_realigned(std::string& text, copy_plan const& plan);

}  // namespace tilewright::gpu
