// The blocks of `tilewright convert`, against a count of every coordinate; its copies, against the comparison element by
// element; its verification, which must find what is wrong, whatever writes it.
#include "scratch_folder.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <numeric>

#include "apps/cli/command.hpp"
#include "apps/cli/convert/blocks.hpp"
#include "apps/cli/convert/copy_array.hpp"
#include "apps/cli/convert/job.hpp"
#include "apps/cli/convert/output.hpp"
#include "apps/cli/convert/verify.hpp"
#include "apps/cli/layout_argument.hpp"

namespace tilewright::test {
namespace {

using namespace tilewright::cli;
using shape_t = std::vector<std::int64_t>;
using bytes_t = std::vector<std::byte>;

struct some_conversion {
  npy_header in;
  npy_element element;
  conversion what;
};

some_conversion permuted() {
  std::string const descr = *rc::gen::element<std::string>("|u1", "<u2", "|S3", "<f4", "<f8", "|V12", "<c16", "<U5");
  auto const shape = *rc::gen::container<shape_t>(3, rc::gen::inRange<std::int64_t>(1, 24));
  npy_header const in{descr, *rc::gen::arbitrary<bool>(), shape};
  std::vector<long long> axes{0, 1, 2};
  for (std::size_t i = 2; i > 0; --i) std::swap(axes[i], axes[*rc::gen::inRange<std::size_t>(0, i + 1)]);
  return {in, element_of_descr(descr), convert_permuted(in, axes)};
}

/// Layouts with holes, negative strides, swizzles and loops that interleave.
some_conversion laid_out() {
  std::string const descr = *rc::gen::element<std::string>("|u1", "<u2", "|S3", "<f4");
  struct row {
    shape_t shape;
    char const* layout;
  };
  row const r = *rc::gen::element<row>(
      row{{6, 8}, "(6,8):(11,1)"}, row{{6, 8}, "(6,8):(-8,1)"}, row{{6, 8}, "(6,8):(1,-6)"},
      row{{6, 8}, "(6,8):(2,20)"}, row{{6, 8}, "((2,3),(4,2)):((24,1),(3,12))"}, row{{6, 8}, "(6,8):(1000,3)"},
      row{{2, 3}, "(2,3):(3,2)"}, row{{4, 3}, "(4,3):(6,4)"}, row{{8, 64}, "Sw<3,3,3> o 0 o (8,64):(64,1)"},
      row{{4, 4}, "Sw<1,0,2> o 3 o (4,4):(8,2)"}, row{{5, 7}, "(5,7):(7,1)"});
  npy_header const in{descr, *rc::gen::arbitrary<bool>(), r.shape};
  return {in, element_of_descr(descr), convert_to_layout(in, parse_layout_argument(r.layout))};
}

// --- blocks -----------------------------------------------------------------------------------------------------------

RC_GTEST_PROP(convert_blocks, cover_every_element_once_and_stay_within_the_budget, ()) {
  some_conversion const c = permuted();
  copy_loops const loops = loops_of(c.what);
  auto const most = *rc::gen::inRange<std::int64_t>(2 * c.element.bytes, 200'000);
  std::vector<std::int64_t> const block = choose_block(loops, c.element.bytes, most);
  RC_ASSERT(buffer_bytes(loops, block, c.element.bytes, true) + buffer_bytes(loops, block, c.element.bytes, false) <=
            most);
  std::vector<int> seen(static_cast<std::size_t>(loops.elements), 0), read = seen, written = seen;
  for_each_block(loops, block, [&](block_at const& at) {
    std::int64_t const count =
        std::accumulate(at.extents.begin(), at.extents.end(), std::int64_t{1}, std::multiplies<>());
    for (std::int64_t k = 0; k < count; ++k) {
      std::int64_t left = k, dst = at.dst;
      for (std::size_t i = 0; i < at.extents.size(); ++i) {
        dst += left % at.extents[i] * loops.loops[i].dst;
        left /= at.extents[i];
      }
      ++seen[static_cast<std::size_t>(dst)];
    }
    for (bool const of_input : {true, false}) {
      block_rows const rows = rows_of(loops, at, of_input, c.element.bytes);
      for (std::int64_t r = 0; r < rows.rows; ++r)
        for (std::int64_t i = 0; i < rows.row; ++i)
          ++(of_input ? read : written)[static_cast<std::size_t>(rows.row_begin(r) + i)];
    }
    return true;
  });
  auto const once = [](std::vector<int> const& counts) {
    return std::all_of(counts.begin(), counts.end(), [](int times) { return times == 1; });
  };
  RC_ASSERT(once(seen));
  RC_ASSERT(once(read));
  RC_ASSERT(once(written));
}

TEST(convert_blocks, rows_include_short_gaps_and_leave_long_ones_out) {
  auto const row_of = [](char const* layout, shape_t const& shape) {
    conversion const c = convert_to_layout({"<f4", false, shape}, parse_layout_argument(layout));
    copy_loops const loops = loops_of(c);
    shape_t whole;
    for (loop const& l : loops.loops) whole.push_back(l.extent);
    block_rows const rows = rows_of(loops, {loops.src, loops.dst, whole}, false, 4);
    return std::pair(rows.row, rows.rows);
  };
  EXPECT_EQ(row_of("(64,100):(128,1)", {64, 100}), std::pair(std::int64_t{63 * 128 + 100}, std::int64_t{1}));
  EXPECT_EQ(row_of("(64,100):(100000,1)", {64, 100}), std::pair(std::int64_t{100}, std::int64_t{64}));
  EXPECT_EQ(row_of("(64):(2)", {64}), std::pair(std::int64_t{127}, std::int64_t{1}));
}

// --- copies -----------------------------------------------------------------------------------------------------------

/// Two files without a name, one with the data.
struct two_files {
  scratch folder;
  unnamed_file in{folder.at(""), "in"}, out{folder.at(""), "out"};
  bytes_t data, result;

  two_files(some_conversion const& c, std::uint64_t seed) {
    std::int64_t elements = 1;
    for (std::int64_t const extent : c.in.shape) elements *= extent;
    data.resize(static_cast<std::size_t>(elements * c.element.bytes));
    for (std::byte& b : data) seed = seed * 6364136223846793005u + 1442695040888963407u, b = std::byte(seed >> 56);
    EXPECT_EQ(write_at(in.file().get(), 5, data), 0);
    out.reserve(7 + c.what.out_elements * c.element.bytes);
  }
  void read_back(some_conversion const& c) {
    result.resize(static_cast<std::size_t>(c.what.out_elements * c.element.bytes));
    int code = 0;
    EXPECT_EQ(read_at(out.file().get(), 7, result, code), result.size());
  }
};

array_copy job_of(some_conversion const& c, two_files const& files) {
  array_copy job{.what = c.what, .element = c.element, .order = {}, .in = {}, .out = {}};
  auto const failure = [](int code, std::int64_t at) { return file_error(fmt::format("code {} at {}", code, at)); };
  job.in = {files.in.file().get(), 5, failure};
  job.out = {files.out.file().get(), 7, failure};
  return job;
}

std::optional<std::string> difference(some_conversion const& c, two_files const& files,
                                      std::optional<byte_order> order = {}, std::int64_t stretch_elements = 512,
                                      std::int64_t box_extent = 512) {
  return find_difference({.what = c.what,
                          .element = c.element,
                          .order = order,
                          .in = files.data.data(),
                          .out = files.result.data(),
                          .stretch_elements = stretch_elements,
                          .box_extent = box_extent});
}

void expect_right_copy(some_conversion const& c, bool with_sums) {
  two_files files(c, *rc::gen::arbitrary<std::uint64_t>());
  array_copy job = job_of(c, files);
  job.threads = *rc::gen::inRange(1, 3);
  // A swizzle's period has to fit.
  job.max_bytes = *rc::gen::inRange<std::int64_t>(with_sums ? 2 * c.element.bytes : 8192, 100'000);
  if (*rc::gen::arbitrary<bool>()) job.order = *rc::gen::element(byte_order::little, byte_order::big);
  std::int64_t last_done = 0;
  job.progress = [&](std::int64_t done) { last_done = std::max(last_done, done); };
  sums const found = copy_array(job);
  RC_ASSERT(found == (has_sums(c.what, c.element) ? sums::agree : sums::not_taken));
  RC_ASSERT(last_done == static_cast<std::int64_t>(files.data.size()));
  files.read_back(c);
  auto const stretch = *rc::gen::inRange<std::int64_t>(1, 40), box = *rc::gen::inRange<std::int64_t>(1, 9);
  RC_ASSERT(difference(c, files, job.order, stretch, box) == std::nullopt);
  // One wrong byte is found, wherever it is.
  auto const wrong = *rc::gen::inRange<std::size_t>(0, files.result.size());
  files.result[wrong] ^= std::byte{1};
  RC_ASSERT(difference(c, files, job.order, stretch, box).has_value());
}

RC_GTEST_PROP(convert_copy, permutations_in_blocks_are_what_the_comparison_expects, ()) {
  some_conversion const c = permuted();
  RC_ASSERT(has_sums(c.what, c.element));
  expect_right_copy(c, true);
}

RC_GTEST_PROP(convert_copy, layouts_with_holes_signs_and_swizzles_are_what_the_comparison_expects, ()) {
  expect_right_copy(laid_out(), false);
}

TEST(convert_copy, comparison_names_the_element_and_finds_filled_holes) {
  npy_header const in{"|u1", false, {2, 3}};
  some_conversion const c{in, element_of_descr("|u1"), convert_to_layout(in, parse_layout_argument("(2,3):(4,1)"))};
  two_files files(c, 1);
  std::array<unsigned char, 6> const from{1, 2, 3, 4, 5, 6};
  std::array<unsigned char, 7> to{1, 2, 3, 0, 4, 5, 6};
  auto const compare = [&] {
    std::memcpy(files.data.data(), from.data(), from.size());
    files.result.resize(to.size());
    std::memcpy(files.result.data(), to.data(), to.size());
    return difference(c, files);
  };
  EXPECT_EQ(compare(), std::nullopt);
  to[6] = 9;
  EXPECT_EQ(compare(), "the element (1, 2) is not that of the input");
  to[6] = 6;
  to[3] = 1;
  EXPECT_EQ(compare(), "an element that the layout skips is not zero");
}

// --- faults -----------------------------------------------------------------------------------------------------------

/// A kernel that does one thing wrong in the block it is called for as number `when`.
enum class fault { one_element, last_of_a_row, row_shifted, swapped, nothing_written, twice };

copy_function faulty(fault what, int when, bool& happened) {
  auto calls = std::make_shared<int>(0);
  return [=, &happened](const_tensor_view const& src, tensor_view const& dst, copy_options const& options) {
    copy(src, dst, options);
    if ((*calls)++ != when) return;
    std::int64_t const width = bits_of(dst.element) / 8;
    std::int64_t lowest = 0, last = 0;  // of the block in its buffer, in units; last counts from the lowest
    for (int i = 0; i < dst.layout.layout.leaves; ++i) {
      std::int64_t const step = (dst.layout.layout.shape[i].number - 1) * dst.layout.layout.stride[i].number;
      lowest += std::min<std::int64_t>(step, 0), last += math::abs(step);
    }
    auto* const to = static_cast<std::byte*>(dst.pointer) + lowest * width;
    bytes_t const before(to, to + (last + 1) * width);
    switch (what) {
      case fault::one_element: to[last / 2 * width] ^= std::byte{0x10}; break;
      case fault::last_of_a_row: to[(last + 1) * width - 1] ^= std::byte{0x80}; break;
      case fault::row_shifted: std::memmove(to + width, to, static_cast<std::size_t>(last * width)); break;
      case fault::swapped: std::swap_ranges(to, to + width, to + last * width); break;
      case fault::nothing_written: std::memset(to, 0, static_cast<std::size_t>((last + 1) * width)); break;
      case fault::twice: std::memcpy(to, to + last / 2 * width, static_cast<std::size_t>(width)); break;
    }
    happened = happened || !std::equal(before.begin(), before.end(), to);
  };
}

RC_GTEST_PROP(convert_copy, sums_find_whatever_a_kernel_does_wrong, ()) {
  some_conversion const c = permuted();
  two_files files(c, *rc::gen::arbitrary<std::uint64_t>());
  array_copy job = job_of(c, files);
  job.max_bytes = *rc::gen::inRange<std::int64_t>(4096, 60'000);
  bool happened = false;
  job.copier = faulty(*rc::gen::element(fault::one_element, fault::last_of_a_row, fault::row_shifted, fault::swapped,
                                        fault::nothing_written, fault::twice),
                      *rc::gen::inRange(0, 3), happened);
  sums const found = copy_array(job);
  files.read_back(c);
  // A pitch between rows takes what a shift writes past a row; only what reaches the file counts.
  bool const is_wrong = difference(c, files).has_value();
  RC_CLASSIFY(is_wrong);
  RC_ASSERT(found == (is_wrong ? sums::differ : sums::agree));
}

class convert_with_a_fault : public testing::TestWithParam<fault> {};
INSTANTIATE_TEST_SUITE_P(each, convert_with_a_fault,
                         testing::Values(fault::one_element, fault::last_of_a_row, fault::row_shifted, fault::swapped,
                                         fault::nothing_written, fault::twice));

TEST_P(convert_with_a_fault, keeps_no_output_and_exits_with_1) {
  scratch const folder;
  std::string data(60 * 70 * 4, '\0');
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<char>(i * 31 + i / 256);
  write(folder.at("in.npy"), write_npy_header({"<f4", false, {60, 70}}) + data);
  write(folder.at("out.npy"), "what was there before");
  convert_request request;
  request.in = folder.at("in.npy"), request.out = folder.at("out.npy"), request.permute = "1,0", request.force = true;
  for (std::string const layout : {"", "(60,70):(-70,1)"}) {  // by sums, and by comparison
    if (!layout.empty()) request.permute.reset(), request.to = layout;
    bool happened = false;
    testing::internal::CaptureStderr();
    int const status = run_conversion(request, faulty(GetParam(), 0, happened));
    std::string const said = testing::internal::GetCapturedStderr();
    ASSERT_TRUE(happened);
    EXPECT_EQ(status, 1);
    EXPECT_EQ(contents(folder.at("out.npy")), "what was there before");
    EXPECT_NE(said.find("was not written: verification found that the element ("), std::string::npos) << said;
    EXPECT_EQ(folder.names(), (std::set<std::string>{"in.npy", "out.npy"}));
  }
  request.no_verify = true;
  bool happened = false;
  testing::internal::CaptureStdout();
  EXPECT_EQ(run_conversion(request, faulty(GetParam(), 0, happened)), 0)
      << "so that it is the verification that finds it";
  testing::internal::GetCapturedStdout();
}

TEST(convert_copy, reads_and_writes_that_fail_are_told_with_their_byte) {
  npy_header const in{"<f4", false, {64, 64}};
  some_conversion const c{in, element_of_descr("<f4"), convert_permuted(in, {1, 0})};
  two_files files(c, 3);
  ASSERT_EQ(ftruncate(files.in.file().get(), 1000), 0);
  array_copy job = job_of(c, files);
  EXPECT_EQ(sentence_of([&] { (void)copy_array(job); }), "code 0 at 1000");
  two_files whole(c, 3);
  array_copy closed = job_of(c, whole);
  closed.out.file = -1;
  EXPECT_EQ(sentence_of([&] { (void)copy_array(closed); }).rfind("code 9 at ", 0), 0u);
}

TEST(convert_blocks, some_memory_is_usable) {
  EXPECT_GT(usable_memory(), 0);
  EXPECT_GT(resident_memory(), 0);
}

}  // namespace
}  // namespace tilewright::test
