#include "engine/kernels/cuda/runs/schedule.hpp"

#include "engine/kernels/cuda/parts/spread.hpp"
#include "tilewright/base/math.hpp"

#include <cstddef>

namespace tilewright::kernels {

using math::ceil_div;
using std::int64_t;

cuda_schedule runs_schedule(movement const& m, std::vector<int64_t> const& tile, std::vector<int> const& by, int vector,
                            int threads, std::vector<int> const& order) {
  cuda_schedule s;
  s.kernel = cuda_kernel::runs;
  s.threads = threads;
  std::vector<cuda_mode> modes{{0, vector, ceil_div(tile[0], vector)}};
  for (int const l : by) {
    int64_t const extent = tile[static_cast<std::size_t>(l)];
    if (l != 0 && extent > 1) modes.push_back({l, 1, extent});
  }
  spread(modes, threads, s.read);
  s.read.loop = 0;
  s.read.vector = vector;
  s.read.at_once = 8;
  set_grid(s, m, tile, order);
  return s;
}

}  // namespace tilewright::kernels
