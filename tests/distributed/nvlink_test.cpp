// Redistribution between GPUs, on a driver without a GPU: ranks are threads, devices are the host's memory, and the kernels run on
// the host. Element by element against places_of, which layout_test compares with lists of indices.
#include "distributed/nvlink/control.hpp"
#include "distributed/nvlink/engine_boxes.hpp"
#include "distributed/nvlink/open.hpp"
#include "engine/cuda/device_memory.hpp"
#include "tests/distributed/random_distribution.hpp"
#include "tests/support/fake_driver.hpp"
#include "tilewright/distributed/placements.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

namespace tilewright {
namespace {

using namespace distributed_test;

/// The driver without a GPU for several threads: one call at a time, and contexts of the thread.
struct shared_driver {
  static gpu::driver_api& plain() {
    static gpu::driver_api api;
    return api;
  }
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  static std::vector<gpu::context_handle>& stack() {
    thread_local std::vector<gpu::context_handle> mine;
    return mine;
  }
  template <auto Member, class... A>
  static void lock_one(gpu::driver_api& api, int (*gpu::driver_api::*)(A...)) {
    api.*Member = [](A... a) {
      std::lock_guard const lock(mutex());
      gpu::fake::gpu().stack.swap(stack());
      int const code = (plain().*Member)(a...);
      gpu::fake::gpu().stack.swap(stack());
      return code;
    };
  }
  template <auto... Members>
  static gpu::driver_api locked(bool with_peers) {
    ::setenv("TILEWRIGHT_NVRTC", "none", 1);
    plain() = gpu::fake::new_driver();
    if (with_peers)
      plain().cuDeviceCanAccessPeer = [](int* can, gpu::device_handle, gpu::device_handle) {
        *can = 1;
        return 0;
      };
    gpu::driver_api api = plain();
    (lock_one<Members>(api, Members), ...);
    return api;
  }
  static gpu::driver_api create(bool with_peers) {
    using d = gpu::driver_api;
    return locked<&d::cuDeviceGetCount, &d::cuDeviceGet, &d::cuDeviceGetName, &d::cuDeviceGetAttribute,
                  &d::cuDriverGetVersion, &d::cuDeviceCanAccessPeer, &d::cuDevicePrimaryCtxRetain, &d::cuCtxGetCurrent,
                  &d::cuCtxGetDevice, &d::cuCtxSynchronize, &d::cuCtxPushCurrent, &d::cuCtxPopCurrent,
                  &d::cuThreadExchangeStreamCaptureMode, &d::cuStreamCreate, &d::cuStreamDestroy,
                  &d::cuStreamSynchronize, &d::cuStreamQuery, &d::cuStreamWriteValue32, &d::cuStreamWaitValue32,
                  &d::cuStreamGetCtx, &d::cuEventCreate, &d::cuEventDestroy, &d::cuEventRecord, &d::cuStreamWaitEvent,
                  &d::cuCtxEnablePeerAccess, &d::cuMemAlloc, &d::cuMemFree, &d::cuMemcpyAsync, &d::cuMemcpy3DAsync,
                  &d::cuMemsetD8Async, &d::cuPointerGetAttributes, &d::cuLibraryLoadData, &d::cuLibraryUnload,
                  &d::cuLibraryGetKernel, &d::cuKernelSetAttribute, &d::cuLaunchKernel>(with_peers);
  }
};

/// One rank's side of a redistribution between threads.
struct gpu_rank {
  gpu_rank(gpu::driver_api const& api, nvlink::group const& g)
      : ranks(g),
        device(gpu::open_device(api, g.rank % 2)),
        engine(device, gpu::disk_cache({})) {}

  nvlink::group ranks;
  gpu::gpu_device device;
  gpu::gpu_engine engine;

  std::unique_ptr<nvlink::engine_redistribution> open(distributed_layout const& src, distributed_layout const& dst,
                                                      element_type element, nvlink::options const& how = {},
                                                      nvlink::piece_limits const& limits = {}) {
    return std::make_unique<nvlink::engine_redistribution>(
        src, dst, element, ranks, [this]() -> gpu::gpu_engine& { return engine; }, how, limits);
  }
};

/// `work` of each rank, on a thread of its own; the sentence that each of them throws.
template <class Work>
std::vector<std::string> on_ranks(int number, Work const& work, bool with_peers = true) {
  gpu::driver_api const api = shared_driver::create(with_peers);
  std::vector<std::string> heard(static_cast<std::size_t>(number));
  std::vector<nvlink::group> const groups = nvlink::groups_of_threads(number);
  std::vector<std::thread> threads;
  for (nvlink::group const& g : groups)
    threads.emplace_back([&, g] {
      try {
        gpu_rank rank(api, g);
        work(rank);
      } catch (std::exception const& e) {
        heard[static_cast<std::size_t>(g.rank)] = e.what();
      }
    });
  for (std::thread& t : threads) t.join();
  return heard;
}

/// A rank's memory on its device; an element's bytes depend on its index.
struct gpu_part {
  gpu_part(gpu_rank const& rank, distributed_layout const& layout, element_type element, bool filled)
      : host(static_cast<std::size_t>(local_span(layout, rank.ranks.rank)) * item_of(element), std::byte{0xA5}),
        memory(rank.device, host.size() + 16) {
    std::size_t const item = item_of(element);
    for_each_coordinate(shape_of(layout), [&](std::vector<std::int64_t> const& x, std::int64_t index) {
      for (place const& at : places_of(layout, x))
        if (at.rank == rank.ranks.rank)
          for (std::size_t k = 0; k < item; ++k)
            host[static_cast<std::size_t>(at.offset) * item + k] =
                static_cast<std::byte>((index * 31 + static_cast<std::int64_t>(k) * 97 + index / 256) & 0xFF);
    });
    if (filled) memory.upload(host.data(), host.size());
    else memory.fill(0xA5);
  }
  static std::size_t item_of(element_type element) { return static_cast<std::size_t>(bits_of(element) / 8); }
  bool is_right() const {
    std::vector<std::byte> got(host.size());
    memory.download(got.data(), got.size());
    return got == host;
  }
  std::vector<std::byte> host;
  gpu::device_memory memory;
};

void check_pair(distributed_layout const& src, distributed_layout const& dst, element_type element, int ranks,
                nvlink::piece_limits const& limits = {}) {
  std::string const what = to_text(src) + " -> " + to_text(dst) + " of " + name_of(element);
  auto const heard = on_ranks(ranks, [&](gpu_rank& rank) {
    gpu_part const from(rank, src, element, true);
    gpu_part to(rank, dst, element, false), other(rank, dst, element, false);
    auto const job = rank.open(src, dst, element, {}, limits);
    job->run(from.memory.data(), to.memory.data(), nullptr);
    EXPECT_TRUE(to.is_right()) << what << ", rank " << rank.ranks.rank;
    job->run(from.memory.data(), other.memory.data(), nullptr);  // a destination that has moved
    EXPECT_TRUE(other.is_right()) << what << ", second run, rank " << rank.ranks.rank;
    nvlink::agree(rank.ranks, {});  // no rank's memory ends before all have run
  });
  for (std::string const& h : heard) EXPECT_EQ(h, "") << what;
}

TEST(nvlink, random_pairs_arrive) {
  random_source random(16);
  element_type const elements[] = {element_type::u8, element_type::f16, element_type::f32, element_type::f64,
                                   element_type::b128};
  for (int i = 0; i < 120 && !testing::Test::HasFailure(); ++i) {
    family const f{i % 2 == 0, i % 4 == 1};
    auto const shape = random_shape(random, f.uneven);
    int const ranks = static_cast<int>(random.between(1, 5));
    distributed_layout const src = random_distribution(random, shape, ranks, f);
    distributed_layout const dst = random_distribution(random, shape, static_cast<int>(random.between(1, ranks)), f);
    check_pair(src, dst, elements[random.between(0, 4)], ranks);
  }
}

TEST(nvlink, boxes_stay_within_the_drivers_limits) {
  std::int64_t const gib = std::int64_t{1} << 30;
  auto const boxes = [](std::vector<loop> const& loops, std::int64_t item) {
    exchange_piece piece;
    piece.loops = loops;
    piece.elements = 1;
    for (loop const& l : loops) piece.elements *= l.extent;
    return nvlink::engine_boxes(piece, item, false, {});
  };
  auto const run = boxes({{5 * gib, 1, 1}}, 4);
  ASSERT_EQ(run.size(), 1u);
  EXPECT_TRUE(run[0].is_run());
  EXPECT_EQ(run[0].box.row_bytes, std::size_t(20) << 30);
  EXPECT_EQ(boxes({{gib, 1, 1}, {4, 2 * gib - 1, gib}}, 1).size(), 1u);
  EXPECT_TRUE(boxes({{gib, 1, 1}, {4, 2 * gib, gib}}, 1).empty());
  EXPECT_TRUE(boxes({{gib, 1, 1}, {4, gib, 2 * gib}}, 1).empty());
  EXPECT_TRUE(boxes({{4096, 1, 1}, {4096, 4095, 4096}}, 1).empty());  // rows that overlap
}

TEST(nvlink, rows_and_planes_arrive_by_the_copy_engines) {
  random_source random(17);
  element_type const elements[] = {element_type::u8, element_type::f16, element_type::f64};
  std::pair<char const*, char const*> const placements[] = {{"S0", "S1"},   {"S1", "S0"}, {"S2", "S1"},   {"S0", "S2"},
                                                            {"B0/3", "S1"}, {"C0", "S2"}, {"B1/2", "S2"}, {"S1", "C1"}};
  int boxes = 0, planes = 0;
  for (int i = 0; i < 40 && !testing::Test::HasFailure(); ++i) {
    nvlink::piece_limits limits;
    limits.run_copy = limits.box_copy = random.between(1, 64);
    limits.box_row = random.between(1, 8);
    limits.engine_segment = std::int64_t{16} << random.between(0, 3);
    limits.shifted_row = random.between(8, 64);
    int const ranks = static_cast<int>(random.between(2, 4));
    auto const [from, to] = placements[random.between(0, 7)];
    auto const extent = [&] { return random.between(ranks, 24); };
    std::string const shape = fmt::format("distribute(({},{},{}),{},", extent(), extent(), 4 * extent(), ranks);
    check_pair(parse_distributed(shape + from + ")"), parse_distributed(shape + to + ")"),
               elements[random.between(0, 2)], ranks, limits);
    boxes += gpu::fake::gpu().calls["cuMemcpy3DAsync"];
    planes += gpu::fake::gpu().boxes_of_planes;
  }
  EXPECT_GT(boxes, 200);
  EXPECT_GT(planes, 20);
}

TEST(nvlink, each_kind_of_piece_arrives) {
  auto const pair = [](char const* src, char const* dst, element_type element) {
    distributed_layout const from = parse_distributed(src), to = parse_distributed(dst);
    check_pair(from, to, element, std::max(from.ranks, to.ranks));
  };
  pair("distribute((128,128),2,S0)", "distribute((128,128),2,S1)", element_type::f32);  // rows
  EXPECT_EQ(gpu::fake::gpu().launches.back().kernel, "tilewright_pieces");
  pair("distribute((256,256),2,S0)", "distribute((256,256),2,S1,col)", element_type::b128);  // transposed
  EXPECT_TRUE(gpu::fake::gpu().launches.back().kernel.starts_with("tilewright_copy_"));
  pair("distribute((256,256),1,R)", "distribute((256,256),2,R)", element_type::b128);  // runs of bytes
  EXPECT_TRUE(gpu::fake::gpu().launches.empty());
  pair("distribute((13,1003),2,S0)", "distribute((13,1003),2,S1)", element_type::u8);  // rows that begin anywhere
  pair("distribute((13,1003),3,S1)", "distribute((13,1003),3,S0)", element_type::f16);
  pair("distribute((7,5,301),2,S1)", "distribute((7,5,301),2,S2)", element_type::f32);
  pair("distribute((257,129),2,C0)", "distribute((257,129),2,B1/5)", element_type::f64);  // many short runs
}

TEST(nvlink, errors_are_heard_on_every_rank) {
  distributed_layout const rows = parse_distributed("distribute((16,16),3,S0)"),
                           columns = parse_distributed("distribute((16,16),3,S1)");
  auto const expect_all = [](std::vector<std::string> const& heard, std::string const& part) {
    for (std::string const& h : heard) EXPECT_NE(h.find(part), std::string::npos) << h << "\nwithout " << part;
  };
  expect_all(on_ranks(3, [&](gpu_rank& r) { r.open(rows, r.ranks.rank == 2 ? rows : columns, element_type::f32); }),
             "rank 2: asked for");
  expect_all(on_ranks(3,
                      [&](gpu_rank& r) {
                        gpu_part const from(r, rows, element_type::f32, true);
                        gpu_part to(r, columns, element_type::f32, false);
                        auto const job = r.open(rows, columns, element_type::f32);
                        for (int k = 0; k < 2; ++k) {  // a failed run does not keep the next one from running
                          try {
                            job->run(from.memory.data(), r.ranks.rank == 1 ? nullptr : to.memory.data(), nullptr);
                            ADD_FAILURE() << "no error";
                          } catch (copy_error const& e) {
                            EXPECT_STREQ(
                                e.what(),
                                "rank 1: the destination is a null pointer, and this rank has 384 bytes of it");
                          }
                        }
                        job->run(from.memory.data(), to.memory.data(), nullptr);
                        EXPECT_TRUE(to.is_right());
                        std::string const own = "no tensor";
                        job->run(nullptr, nullptr, nullptr, r.ranks.rank == 0 ? &own : nullptr);
                      }),
             "rank 0: no tensor");
  expect_all(on_ranks(2, [&](gpu_rank& r) { r.open(rows, columns, element_type::f32); }),
             "the layouts have 3 ranks and the group 2; start 3 processes");
  expect_all(on_ranks(
                 3,
                 [&](gpu_rank& r) {
                   nvlink::options how;
                   how.by = nvlink::transport::peers;
                   r.open(rows, columns, element_type::f32, how);
                 },
                 false),
             "the ranks' GPUs cannot map each other's memory");
  expect_all(on_ranks(3,
                      [&](gpu_rank& r) {
                        r.open(parse_distributed("distribute((15),3,S0)"), parse_distributed("distribute((15),3,C0)"),
                               element_type::b4);
                      }),
             "elements of 4 bits would begin or end within a byte");
}

TEST(nvlink, a_rank_that_does_not_call_is_an_error_of_the_others) {
  distributed_layout const rows = parse_distributed("distribute((16,16),2,S0)"),
                           columns = parse_distributed("distribute((16,16),2,S1)");
  auto const heard = on_ranks(2, [&](gpu_rank& r) {
    gpu_part const from(r, rows, element_type::f32, true);
    gpu_part to(r, columns, element_type::f32, false);
    nvlink::options how;
    how.timeout_seconds = 0.2;
    auto const job = r.open(rows, columns, element_type::f32, how);
    for (int k = 0; k < 2 && r.ranks.rank == 0; ++k) {
      try {
        job->run(from.memory.data(), to.memory.data(), nullptr);
        ADD_FAILURE() << "no error";
      } catch (copy_error const& e) {
        EXPECT_STREQ(
            e.what(),
            "rank 1: it has not called within 0.2 s; call run() on every rank, or raise options::timeout_seconds");
      }
    }
    nvlink::agree(r.ranks, {});
  });
  EXPECT_EQ(heard[0], "");
  EXPECT_EQ(heard[1], "");
}

TEST(nvlink, half_bytes_travel_as_bytes) {
  distributed_layout const rows = parse_distributed("distribute((8,16),2,S0)"),
                           columns = parse_distributed("distribute((8,16),2,S1)");
  auto const heard = on_ranks(2, [&](gpu_rank& r) {
    std::vector<std::uint8_t> host(32), got(32);
    for (std::size_t i = 0; i < 32; ++i)
      host[i] = static_cast<std::uint8_t>(i + static_cast<std::size_t>(r.ranks.rank) * 32);
    gpu::device_memory from(r.device, 32), to(r.device, 32);
    from.upload(host.data(), 32);
    auto const job = r.open(rows, columns, element_type::b4);
    job->run(from.data(), to.data(), nullptr);
    to.download(got.data(), 32);
    for (std::size_t i = 0; i < 32; ++i)  // row i / 4 of 8 bytes, columns 4·rank + i % 4
      EXPECT_EQ(got[i], i / 4 * 8 + static_cast<std::size_t>(r.ranks.rank) * 4 + i % 4);
    nvlink::agree(r.ranks, {});
  });
  for (std::string const& h : heard) EXPECT_EQ(h, "");
}

}  // namespace
}  // namespace tilewright
