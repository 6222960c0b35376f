// archs: 90
// Clusters of 1, 2, 4 and 8 blocks: who a block is, the cluster's barrier, loads from other blocks' shared memory, and
// tiles that go around by bulk copies and arrivals at the next block's barriers: on the device, and with the host bodies.
#include "support/device.hpp"
#include "support/host_team.hpp"
#include "tilewright/exec/launch.hpp"
#include "tilewright/tilewright.hpp"

using namespace tilewright;
using namespace tilewright::cuda_test;

struct places {
  static constexpr bytes shared_bytes{0};
  template <class Block, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, Out out) const {
    auto const index = block.index(), in = block_id_in_cluster(), of = cluster_id_in_grid(), shape = cluster_shape(),
               clusters = cluster_grid_dims();
    bool const fits = index.x == of.x * shape.x + in.x && index.y == of.y * shape.y + in.y && index.z == of.z &&
                      shape.x * clusters.x == block.grid().x && shape.y * clusters.y == block.grid().y &&
                      block_rank_in_cluster() == in.x + shape.x * in.y &&
                      static_cast<unsigned>(block.cluster_rank()) == block_rank_in_cluster();
    if (block.thread() == 0)
      out(static_cast<int>(linear_index(index, block.grid()))) = fits ? block_rank_in_cluster() + 1 : 0u;
  }
};

struct gather {
  static constexpr bytes shared_bytes{512};
  template <class Block, class In, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, In in, Out out) const {
    auto mine = shared<std::uint32_t>(block, Shape<_64>{});
    int const t = block.thread(), b = static_cast<int>(block.index().x);
    mine(t) = in(t, b);
    cluster_arrive();
    cluster_wait();
    std::uint32_t sum = 0;
    for (unsigned r = 0; r < cluster_shape().x; ++r) sum = sum * 7 + *map_shared_rank(&mine(63 - t), r);
    out(t, b) = sum;
    block.cluster_sync();
  }
};

/// As often around the cluster as it has blocks, so that each block ends with its own tile. Three places: one is read by
/// the copy to the next block, one written by the block before, and one may still be read by the copy of the hop before.
struct around {
  static constexpr bytes shared_bytes{1024};
  template <class Block, class In, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, In in, Out out) const {
    auto tiles = shared<std::uint32_t>(block, Shape<_64, _3>{});
    auto full = shared<std::uint64_t>(block, Shape<_1>{});
    auto taken = shared<std::uint64_t>(block, Shape<_1>{});
    int const t = block.thread(), rank = block.cluster_rank(), b = static_cast<int>(block.index().x);
    int const blocks = static_cast<int>(cluster_shape().x);
    auto const next = static_cast<unsigned>((rank + 1) % blocks),
               before = static_cast<unsigned>((rank + blocks - 1) % blocks);
    if (t == 0) {
      initialize_barrier(full(0), 1);
      initialize_barrier(taken(0), block.threads());
      fence_barrier_init();
    }
    tiles(t, 0) = in(t, b);
    tma_store_fence();
    block.cluster_sync();
    for (int hop = 0; hop < blocks; ++hop) {
      if (t == 0) {
        set_barrier_transaction_bytes(full(0), 256);
        // The next block has taken what went to the place that this copy overwrites.
        if (hop > 0) wait_cluster_barrier(taken(0), (hop - 1) % 2);
        copy(Copy_Atom<SM90_BULK_COPY_S2CLUSTER, std::uint32_t>{}.with(full(0), next), tiles(_, hop % 3),
             tiles(_, (hop + 1) % 3));
      }
      wait_barrier(full(0), hop % 2);
      arrive_remote_barrier(taken(0), before);
    }
    out(t, b) = tiles(t, blocks % 3);
    block.cluster_sync();
  }
};

int main() {
  return run("clusters", [] {
    for (unsigned const n : {1u, 2u, 4u, 8u}) {
      auto const in = random_bits<std::uint32_t>(64 * 16, n);
      auto const layout = Layout<Shape<_64, _16>>{};
      device_array<std::uint32_t> const in_there(in);
      device_array<std::uint32_t> out_there(in.size());
      std::vector<std::uint32_t> on_host(in.size());
      auto const both = [&](char const* what, auto const& kernel) {
        run_on_host(16, dim3(n), 64, kernel, make_tensor(make_gmem_ptr(in.data()), layout),
                    make_tensor(make_gmem_ptr(on_host.data()), layout));
        out_there.poison();
        launch_cuda_and_wait({.grid = 16, .block = 64, .cluster = n}, kernel,
                             make_tensor(make_gmem_ptr(static_cast<std::uint32_t const*>(in_there.data())), layout),
                             make_tensor(make_gmem_ptr(out_there.data()), layout));
        auto const found = out_there.host();
        for (std::size_t i = 0; i < found.size(); ++i) expect(found[i] == on_host[i], what, static_cast<long long>(i));
        return found;
      };
      auto const sums = both("gather", gather{});
      for (unsigned i = 0; i < 64 * 16; ++i) {
        std::uint32_t sum = 0;
        for (unsigned r = 0; r < n; ++r) sum = sum * 7 + in[(i / 64 / n * n + r) * 64 + 63 - i % 64];
        expect(sums[i] == sum, "gather against a loop", i);
      }
      // A copy to the block itself is legal, but an error to memcheck.
      if (n > 1) expect(both("around", around{}) == in, "around");
    }
    device_array<std::uint32_t> ranks(8 * 6);
    ranks.poison();
    launch({.grid = {8, 6}, .block = 32, .cluster = {4, 2}}, places{},
           make_tensor(make_gmem_ptr(ranks.data()), Shape<C<48>>{}));
    auto const found = ranks.host();
    for (unsigned i = 0; i < 48; ++i) expect(found[i] == i % 8 % 4 + 4 * (i / 8 % 2) + 1, "places", i);
  });
}
