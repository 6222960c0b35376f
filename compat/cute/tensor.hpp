// The whole of what the tiled-copy part of CuTe offers: layouts, tensors, copy atoms, tiled copies, algorithms, print.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/algorithm/axpby.hpp"
#include "cute/algorithm/clear.hpp"
#include "cute/algorithm/fill.hpp"
#include "cute/algorithm/functional.hpp"
#include "cute/algorithm/tensor_algorithms.hpp"
#include "cute/algorithm/tensor_reduce.hpp"
#include "cute/algorithm/tuple_algorithms.hpp"
#include "cute/arch/cluster_sm90.hpp"
#include "cute/atom/copy_traits_sm100.hpp"
#include "cute/atom/copy_traits_sm100_tma.hpp"
#include "cute/atom/copy_traits_sm90_tma.hpp"
#include "cute/atom/mma_traits_sm100.hpp"
#include "cute/atom/mma_traits_sm120_sparse.hpp"
#include "cute/atom/mma_traits_sm90_gmma.hpp"
#include "cute/container/array_aligned.hpp"
#include "cute/container/array_subbyte.hpp"
#include "cute/container/bit_field.hpp"
#include "cute/container/cuda_types.hpp"
#include "cute/container/type_list.hpp"
#include "cute/detail/cooperative_copy.hpp"
#include "cute/detail/cooperative_gemm.hpp"
#include "cute/detail/copy.hpp"
#include "cute/detail/copy_atom.hpp"
#include "cute/detail/gemm.hpp"
#include "cute/detail/mma_atom.hpp"
#include "cute/detail/prefetch.hpp"
#include "cute/detail/print_latex.hpp"
#include "cute/numeric/integral_ratio.hpp"
#include "cute/pointer_sparse.hpp"
#include "cute/tensor_impl.hpp"
#include "cute/tensor_predicate.hpp"
#include "cute/tensor_zip.hpp"
#include "cute/util/debug.hpp"
#include "cute/util/print_svg.hpp"
#include "cute/util/print_tensor.hpp"
#include "cutlass/array.h"
#include "cutlass/bfloat16.h"
#include "cutlass/fast_math.h"
#include "cutlass/half.h"
#include "cutlass/layout/matrix.h"
#include "cutlass/trace.h"

// CuTe's headers bring these along, and programs rely on it.
#if TILEWRIGHT_HOSTED
#include <math.h>
#include <algorithm>
#include <array>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>  // and with it std::chrono's clocks
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>
#endif
