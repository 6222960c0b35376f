// Distributed layouts against their meaning: lists of indices that are dealt out one placement after another.
#include "tests/distributed/random_distribution.hpp"
#include "tilewright/layout/text.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <map>

namespace tilewright {
namespace {

using namespace distributed_test;

/// The indices of each axis that the rank at these mesh coordinates owns, in local order.
std::vector<std::vector<std::int64_t>> dealt(std::vector<std::int64_t> const& shape, std::vector<int> const& mesh,
                                             std::vector<placement> const& how, std::vector<int> const& at) {
  std::vector<std::vector<std::int64_t>> own,
      fullest;  // fullest: of the ranks at coordinate 0, with indices beyond the end
  for (std::int64_t const n : shape) {
    own.emplace_back();
    for (std::int64_t i = 0; i < n; ++i) own.back().push_back(i);
  }
  std::vector<std::int64_t> full(shape.begin(), shape.end());
  for (std::size_t m = 0; m < mesh.size(); ++m) {
    placement const& p = how[m];
    if (p.how == placement::kind::replicate) continue;
    auto const axis = static_cast<std::size_t>(p.axis);
    std::int64_t const ranks = mesh[m];
    std::int64_t block = p.how == placement::kind::block    ? (full[axis] + ranks - 1) / ranks
                         : p.how == placement::kind::cyclic ? 1
                                                            : p.block;
    std::vector<std::int64_t> mine;
    for (std::size_t l = 0; l < own[axis].size(); ++l)
      if (static_cast<std::int64_t>(l) / block % ranks == at[m]) mine.push_back(own[axis][l]);
    own[axis] = mine;
    std::int64_t kept = 0;
    for (std::int64_t l = 0; l < full[axis]; ++l) kept += l / block % ranks == 0 ? 1 : 0;
    full[axis] = kept;
  }
  return own;
}

bool each_mesh_axis_has_its_own(std::vector<placement> const& how) {
  for (std::size_t i = 0; i < how.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (how[i].how != placement::kind::replicate && how[j].how != placement::kind::replicate &&
          how[i].axis == how[j].axis)
        return false;
  return true;
}

/// Row-major ranks, row- or column-major local tensors.
void expect_dealt(std::vector<std::int64_t> const& shape, std::vector<int> const& mesh,
                  std::vector<placement> const& how, local_order order) {
  distributed_layout const layout = distribute(shape, mesh, how, order);
  std::map<std::pair<int, std::vector<std::int64_t>>, std::int64_t> expected;  // (rank, coordinate) -> offset
  int ranks = 1;
  for (int const n : mesh) ranks *= n;
  for (int r = 0; r < ranks; ++r) {
    std::vector<int> at(mesh.size());
    int rest = r;
    for (std::size_t m = mesh.size(); m-- > 0;) {
      at[m] = rest % mesh[m];
      rest /= mesh[m];
    }
    auto const own = dealt(shape, mesh, how, at);
    std::vector<std::int64_t> local;
    for (auto const& indices : own) local.push_back(static_cast<std::int64_t>(indices.size()));
    EXPECT_EQ(local_shape(layout, r), local) << to_text(layout) << " rank " << r;
    for_each_coordinate(local, [&](std::vector<std::int64_t> const& x, std::int64_t column_major) {
      std::int64_t row_major = 0;
      std::vector<std::int64_t> global;
      for (std::size_t i = 0; i < x.size(); ++i) {
        row_major = row_major * local[i] + x[i];
        global.push_back(own[i][static_cast<std::size_t>(x[i])]);
      }
      expected[{r, global}] = order == local_order::row_major ? row_major : column_major;
    });
  }
  std::size_t found = 0;
  for_each_coordinate(shape, [&](std::vector<std::int64_t> const& x, std::int64_t) {
    for (place const& at : places_of(layout, x)) {
      ++found;
      auto const it = expected.find({at.rank, x});
      ASSERT_TRUE(it != expected.end()) << to_text(layout) << " gives rank " << at.rank << " what it should not have";
      ASSERT_EQ(it->second, at.offset) << to_text(layout) << " rank " << at.rank;
    }
  });
  EXPECT_EQ(found, expected.size()) << to_text(layout);
}

TEST(distributed_layout, placements_deal_indices_out_as_lists_are_dealt) {
  random_source random(1);
  int checked = 0;
  for (int i = 0; i < 500; ++i) {
    auto const shape = random_shape(random, i % 2 == 0);
    auto const mesh = random_mesh(random, static_cast<int>(random.between(1, 12)));
    auto const how = random_placements(random, mesh.size(), shape.size(), {i % 2 == 0, i % 4 == 0});
    try {
      expect_dealt(shape, mesh, how, i % 3 == 0 ? local_order::column_major : local_order::row_major);
      ++checked;
    } catch (copy_error const& e) {
      EXPECT_FALSE(each_mesh_axis_has_its_own(how)) << e.what();
      EXPECT_NE(std::string(e.what()).find("no layout describes that"), std::string::npos) << e.what();
    }
  }
  EXPECT_GT(checked, 350);
}

TEST(distributed_layout, text_is_read_back_as_it_was) {
  random_source random(2);
  for (int i = 0; i < 500; ++i) {
    auto const shape = random_shape(random, i % 2 == 0);
    distributed_layout const a =
        random_distribution(random, shape, static_cast<int>(random.between(1, 12)), {true, i % 3 == 0});
    EXPECT_EQ(parse_distributed(to_text(a)), a) << to_text(a);
  }
}

TEST(distributed_layout, text_of_the_page) {
  distributed_layout const a = parse_distributed("((3,4),8):((1@1,1@0),3@1) within (10,8)");
  EXPECT_EQ(a.ranks, 4);
  EXPECT_EQ(places_of(a, {7, 2}), (std::vector<place>{{2, 7}}));
  EXPECT_EQ(local_shape(a, 3), (std::vector<std::int64_t>{1, 8}));
  EXPECT_EQ(local_span(a, 3), 22);
  EXPECT_EQ(to_text(parse_distributed("distribute((10,8),4,S0)")),
            "((3,4),8):((8@1,1@0),1@1) within (10,8) packed (1,0)");
  distributed_layout const two = parse_distributed("(8):(1@1) replicas 2:4");
  EXPECT_EQ(places_of(two, {3}), (std::vector<place>{{0, 3}, {4, 3}}));
  EXPECT_EQ(two.ranks, 5);
  EXPECT_EQ(layout_of(a), parse_layout("((3,4),8):((1@1,1@0),3@1)"));
}

std::string sentence_of(std::string const& text) {
  try {
    (void)parse_distributed(text);
  } catch (std::exception const& e) {
    return e.what();
  }
  return "accepted";
}

TEST(distributed_layout, what_is_wrong_is_said_with_its_numbers) {
  std::pair<char const*, char const*> const cases[] = {
      {"((3,4)):((1@1,1@0)) within (13)",
       "axis 0 has 13 indices and its digits 12: the indices from 12 on have no owner"},
      {"((3,4)):((1@1,1@0)) steps ((1,4))",
       "digit 1 of axis 0 steps by 4 and the digits below it have 3 indices: the indices 3 to 3 have no owner"},
      {"((3,4),8):((1@1,1@0),2@1)", "two elements of a rank to one offset"},
      {"((3,4),(2,2)):((1@1,1@0),(3@1,2@0))", "two modes reach the same rank"},
      {"((3,4)):((1@1,1@0)) ranks 3", "the layout reaches rank 3, and there are 3 ranks (0 to 2)"},
      {"((3,4)):((1@1,1@0)) on (0,1,1,2)", "on names process 1 twice"},
      {"((3,4)):((1@1,1@0)) replicas 2:2", "two modes reach the same rank"},
      {"((3,4)):((2@1,1@0)) packed (0)", "has the stride 2@1"},
      {"(8):(1@2)", "expected strides of ranks (1@0) and offsets (1@1)"},
      {"(8):(1)", "expected strides of ranks (1@0) and offsets (1@1)"},
      {"(8):(1@1) around (3)", "expected within, steps"},
      {"distribute((8),2,S1)", "the placement S1 names axis 1, and the tensor has 1 (0 to 0)"},
      {"distribute((8),(2,2),S0)", "the mesh (2,2) has 2 axes and there are 1 placements"},
      {"distribute((8),2,X0)", "'X0' is not a placement"},
      {"(9223372036854775807,4):(1@1,1@0)", "does not fit 63 bits"},
  };
  for (auto const& [text, part] : cases)
    EXPECT_NE(sentence_of(text).find(part), std::string::npos) << text << ": " << sentence_of(text);
}

TEST(distributed_layout, scalapack_descriptors) {
  random_source random(3);
  for (int i = 0; i < 100; ++i) {
    int const rows = static_cast<int>(random.between(1, 4)), columns = static_cast<int>(random.between(1, 4));
    scalapack_descriptor d{random.between(1, 20),
                           random.between(1, 20),
                           random.between(1, 5),
                           random.between(1, 5),
                           static_cast<int>(random.between(0, rows - 1)),
                           static_cast<int>(random.between(0, columns - 1)),
                           random.between(20, 24)};
    if (i % 3 == 0)
      d.lld = d.m / (d.mb * rows) * d.mb + std::min(d.mb, d.m % (d.mb * rows));  // NUMROC of the first row
    distributed_layout const layout = from_scalapack(d, rows, columns, i % 2 == 0);
    for_each_coordinate({d.m, d.n}, [&](std::vector<std::int64_t> const& x, std::int64_t) {
      // INDXG2P and INDXG2L of ScaLAPACK's tools.
      std::int64_t const pr = (d.rsrc + x[0] / d.mb) % rows, pc = (d.csrc + x[1] / d.nb) % columns;
      std::int64_t const lr = d.mb * (x[0] / (d.mb * rows)) + x[0] % d.mb,
                         lc = d.nb * (x[1] / (d.nb * columns)) + x[1] % d.nb;
      int const rank = static_cast<int>(i % 2 == 0 ? pr + pc * rows : pr * columns + pc);
      EXPECT_EQ(places_of(layout, x), (std::vector<place>{{rank, lr + lc * d.lld}})) << to_text(layout);
    });
  }
  EXPECT_THROW((void)from_scalapack({10, 10, 2, 2, 0, 0, 5}, 1, 1), copy_error);
  // 52 rows on the first rank: three blocks of 16 and one of 4.
  EXPECT_EQ(local_shape(from_scalapack({100, 80, 16, 16, 0, 0, 52}, 2, 2), 0), (std::vector<std::int64_t>{52, 48}));
  EXPECT_THROW((void)parse_distributed("((16,2,4),(16,2,3)):((1@1,2@0,16@1),(51@1,1@0,832@1)) within (100,80)"),
               copy_error);
}

TEST(distributed_layout, dtensor_cuts_a_ragged_block_by_its_own_size) {
  // torch.chunk of 10 in 2, then of 5 in 2: (3, 2), (3, 2).
  distributed_layout const nested = from_dtensor({10}, {2, 2}, {shard(0), shard(0)});
  std::vector<std::int64_t> sizes;
  for (int r = 0; r < 4; ++r) sizes.push_back(local_shape(nested, r)[0]);
  EXPECT_EQ(sizes, (std::vector<std::int64_t>{3, 2, 3, 2}));
  // 7 in 2: (4, 3); each in 2: (2, 2), (2, 1).
  EXPECT_EQ(local_shape(from_dtensor({7}, {2, 2}, {shard(0), shard(0)}), 3)[0], 1);
  // 8 in 3: (3, 3, 2); in 2: (2, 1), (2, 1), and (1, 1) of DTensor's, which the layout would cut (2, 0).
  EXPECT_THROW((void)from_dtensor({8}, {3, 2}, {shard(0), shard(0)}), copy_error);
  EXPECT_EQ(from_dtensor({4}, {2}, {shard(0)}, {1, 0}).on, (std::vector<int>{1, 0}));
}

}  // namespace
}  // namespace tilewright
