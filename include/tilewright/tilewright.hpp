// The header-only library: layouts and their algebra, tensors, copy atoms, tiled copies and algorithms. Headers of their
// own have running kernels (exec/launch.hpp, which needs tilewright::engine), TMA copies (tiled/make_tma_copy.hpp) and
// prefetch (algorithm/prefetch.hpp).
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/algebra/diagnose.hpp"  // first, so that messages list a short path of includes
#include "tilewright/algorithm/bounds.hpp"
#include "tilewright/algorithm/elementwise.hpp"
#include "tilewright/algorithm/print.hpp"
#include "tilewright/atom/bulk.hpp"
#include "tilewright/atom/cluster.hpp"
#include "tilewright/atom/cp_async.hpp"
#include "tilewright/atom/global_copy.hpp"
#include "tilewright/atom/ldmatrix.hpp"
#include "tilewright/atom/mbarrier.hpp"
#include "tilewright/atom/stmatrix.hpp"
#include "tilewright/tensor/partition.hpp"
#include "tilewright/tiled/make_tiled_copy.hpp"
#include "tilewright/tiled/make_tiled_copy_mma.hpp"
