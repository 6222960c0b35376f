// How accesses use the caches, by CUTLASS's names.
#pragma once

#include "tilewright/base/config.hpp"

namespace cutlass::arch {

struct CacheOperation {
  enum Kind { Always, Global, Streaming, LastUse, Volatile, WriteBack, WriteThrough };
};

}  // namespace cutlass::arch
