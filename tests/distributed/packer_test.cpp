// Chunks of redistributions, packed and unpacked in one process: the memory of every rank against places_of, byte by byte.
#include "distributed/packer.hpp"

#include "tests/distributed/random_distribution.hpp"
#include "tilewright/distributed/placements.hpp"

#include <gtest/gtest.h>
#include <cstdlib>
#include <cstring>
#include <map>

namespace tilewright {
namespace {

using namespace distributed_test;

/// Bytes of one rank; element `index` of the tensor is a pattern of its own.
class rank_bytes {
 public:
  rank_bytes(std::int64_t elements, int bits)
      : bits_(bits),
        bytes_(static_cast<std::size_t>((elements * bits + 7) / 8), std::byte{0xA5}) {}
  void put(std::int64_t offset, std::int64_t index) {
    if (bits_ == 4) {
      std::byte& at = bytes_[static_cast<std::size_t>(offset / 2)];
      auto const value = static_cast<std::byte>((index * 7 + 3) % 16);
      at = offset % 2 == 0 ? (at & std::byte{0xF0}) | value : (at & std::byte{0x0F}) | (value << 4);
      return;
    }
    auto const n = static_cast<std::size_t>(bits_ / 8);
    for (std::size_t k = 0; k < n; ++k)
      bytes_[static_cast<std::size_t>(offset) * n + k] =
          static_cast<std::byte>((index * 31 + static_cast<std::int64_t>(k) * 97 + index / 256) & 0xFF);
  }
  std::byte* data() { return bytes_.data(); }
  std::int64_t size() const { return static_cast<std::int64_t>(bytes_.size()); }
  friend bool operator==(rank_bytes const&, rank_bytes const&) = default;

 private:
  int bits_;
  std::vector<std::byte> bytes_;
};

struct chunk_counts {
  int chunks = 0, with_rounds = 0, direct = 0;
};

/// Sends every chunk from every rank to every other. `past_caches` writes all tensors as if they exceeded the caches.
chunk_counts expect_chunks_move_all(distributed_layout const& src, distributed_layout const& dst, element_type element,
                                    std::int64_t staged, bool past_caches) {
  std::string const what = to_text(src) + "  ->  " + to_text(dst) + " of " + name_of(element);
  int const ranks = std::max(src.ranks, dst.ranks), bits = bits_of(element);
  std::vector<rank_bytes> from, to, expected;
  for (int r = 0; r < ranks; ++r) {
    from.emplace_back(local_span(src, r), bits);
    to.emplace_back(local_span(dst, r), bits);
  }
  expected = to;
  for_each_coordinate(shape_of(src), [&](std::vector<std::int64_t> const& x, std::int64_t index) {
    for (place const& at : places_of(src, x)) from[static_cast<std::size_t>(at.rank)].put(at.offset, index);
    for (place const& at : places_of(dst, x)) expected[static_cast<std::size_t>(at.rank)].put(at.offset, index);
  });
  distributed::chunk_limits const limits{bits, staged, std::int64_t{1} << 20, src.swizzle.bits != 0,
                                         dst.swizzle.bits != 0};
  std::vector<distributed::packer> copies;
  for (std::size_t r = 0; r < from.size(); ++r)
    copies.emplace_back(
        limits, distributed::memory_side{from[r].data(), src.swizzle, from[r].size()},
        distributed::memory_side{to[r].data(), dst.swizzle, past_caches ? std::int64_t{1} << 40 : to[r].size()},
        element, 1);
  chunk_counts counts;
  for (int r = 0; r < ranks; ++r) {
    rank_plan const plan = plan_exchange(src, dst, r);
    for (distributed::chunk const& c : distributed::cut(plan.own, limits))
      copies[static_cast<std::size_t>(r)].copy_own(c);
    for (transfer const& t : plan.sends) {
      std::int64_t bytes = 0;
      for (distributed::chunk const& c : distributed::cut(t, limits)) {
        std::vector<std::byte> message(static_cast<std::size_t>(c.bytes));
        auto const& sender = copies[static_cast<std::size_t>(t.from)];
        if (c.src_direct) std::memcpy(message.data(), sender.source(c.boxes[0]), message.size());
        else sender.pack(c, message.data());
        auto const& receiver = copies[static_cast<std::size_t>(t.to)];
        if (c.dst_direct) std::memcpy(receiver.destination(c.boxes[0]), message.data(), message.size());
        else receiver.unpack(c, message.data());
        EXPECT_TRUE(c.bytes <= staged || (c.src_direct && c.dst_direct)) << what << ": a chunk of " << c.bytes;
        bytes += c.bytes;
        ++counts.chunks;
        counts.with_rounds += c.rounds > 1 ? 1 : 0;
        counts.direct += c.src_direct || c.dst_direct ? 1 : 0;
      }
      EXPECT_TRUE(bits < 8 || bytes == t.elements * bits / 8) << what;
    }
  }
  for (std::size_t r = 0; r < to.size(); ++r)
    EXPECT_TRUE(to[r] == expected[r]) << what << ": rank " << r << " is wrong";
  return counts;
}

TEST(packer, random_pairs_in_small_chunks) {
  random_source random(77);
  element_type const elements[] = {element_type::b4,  element_type::u8,  element_type::f16,
                                   element_type::f32, element_type::f64, element_type::b128};
  int const cases = std::getenv("TILEWRIGHT_TEST_ALL") != nullptr ? 1500 : 150;
  for (int i = 0; i < cases && !testing::Test::HasFailure(); ++i) {
    family const f{i % 2 == 0, i % 4 == 1};
    auto const shape = random_shape(random, f.uneven);
    int const ranks = static_cast<int>(random.between(1, 8));
    expect_chunks_move_all(random_distribution(random, shape, ranks, f), random_distribution(random, shape, ranks, f),
                           elements[random.between(0, 5)], random.one_in(2) ? 512 : 65536, random.one_in(2));
  }
}

scalapack_descriptor square_blocks(std::int64_t n, std::int64_t block, int rows) {
  return {n, n, block, block, 0, 0, n / (block * rows) * block + std::min(block, n % (block * rows)) + 3};
}

/// Many short runs in each column: cut along the columns, so that a chunk has a few columns of all of them.
TEST(packer, block_cyclic_matrices_are_cut_along_their_columns) {
  for (auto const& [a, b, rows, columns] :
       {std::tuple{16, 12, 2, 1}, std::tuple{8, 64, 2, 1}, std::tuple{16, 12, 2, 2}, std::tuple{9, 14, 3, 1}})
    for (element_type const element : {element_type::f32, element_type::f64}) {
      auto const from = from_scalapack(square_blocks(210, a, rows), rows, columns),
                 to = from_scalapack(square_blocks(210, b, rows), rows, columns);
      for (bool const past_caches : {false, true}) {
        chunk_counts const counts = expect_chunks_move_all(from, to, element, 16384, past_caches);
        EXPECT_GT(counts.with_rounds, 0) << a << " to " << b;
      }
    }
}

/// A transposed piece has tiles with contiguous bytes on both sides.
TEST(packer, transposed_pieces_are_cut_in_tiles) {
  expect_chunks_move_all(distribute({150, 602}, {2}, {shard(0)}),
                         distribute({150, 602}, {2}, {shard(1)}, local_order::column_major), element_type::f64, 16384,
                         true);
  auto const rows = distribute({700, 900}, {2}, {shard(0)}),
             columns = distribute({700, 900}, {2}, {shard(1)}, local_order::column_major);
  rank_plan const plan = plan_exchange(rows, columns, 0);
  distributed::chunk_limits const limits{64, 65536, 1 << 20, false, false};
  auto const chunks = distributed::cut(plan.sends.at(0), limits);
  ASSERT_EQ(chunks.at(0).boxes.size(), 1U);
  std::vector<std::int64_t> extents;
  for (loop const& l : chunks[0].boxes[0].loops) extents.push_back(l.extent);
  EXPECT_EQ(extents,
            (std::vector<std::int64_t>{32, 256}));  // 8,192 doubles: 2 KiB of the source, 256 B of the destination
}

}  // namespace
}  // namespace tilewright
