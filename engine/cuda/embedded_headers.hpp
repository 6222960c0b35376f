// This library's own headers as text inside the binary, for compiling kernels at run time without any folder of theirs.
// The build writes the texts (embed_sources.cmake).
#pragma once

#include <cstddef>
#include <span>

namespace tilewright::gpu {

struct embedded_header {
  char const* name;  // as an #include writes it: "tilewright/base/config.hpp"
  char const* text;
};

/// The headers of the kernel wing.
std::span<embedded_header const> embedded_headers();

/// A digest of all of them: equal digests, equal headers.
char const* embedded_headers_digest();

/// The PTX of the kernel that needs no run-time compiler (generic_copy.cu).
char const* embedded_generic_kernel();

/// That of the kernel for runs of few bytes (few_bytes.cu).
char const* embedded_kernel_for_few_bytes();

}  // namespace tilewright::gpu
