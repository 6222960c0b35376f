// .npy headers: what NumPy writes is read and written byte for byte; whatever else is one sentence with the byte where
// it goes wrong. convert_numpy_test.py does the same against NumPy itself.
#include "tilewright/engine/npy.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstring>
#include <string>

#include "tilewright/layout/text.hpp"

namespace tilewright {
namespace {

/// A file of version MAJOR.0 with that dictionary, as the format says, without any padding, and `data` bytes behind.
std::string file_with(std::string const& dictionary, std::size_t data, int major = 1) {
  std::string out = "\x93NUMPY";
  out += static_cast<char>(major);
  out += '\0';
  for (std::size_t i = 0, length = dictionary.size(); i < (major == 1 ? 2u : 4u); ++i, length >>= 8)
    out += static_cast<char>(length & 0xff);
  return out + dictionary + std::string(data, 'x');
}

npy_array read(std::string const& file) {
  return read_npy(std::as_bytes(std::span(file)), static_cast<std::int64_t>(file.size()));
}

void expect_refused(std::string const& file, std::string const& sentence, std::size_t at) {
  try {
    (void)read(file);
    ADD_FAILURE() << "was read: " << sentence;
  } catch (npy_error const& e) {
    EXPECT_EQ(e.what(), sentence);
    EXPECT_EQ(e.position(), at) << sentence;
    EXPECT_LE(e.position(), file.size()) << sentence;
  }
}

void expect_dictionary_refused(std::string const& dictionary, std::string const& sentence, std::size_t at) {
  expect_refused(file_with(dictionary, 0), sentence + " at byte " + std::to_string(10 + at), 10 + at);
  expect_refused(file_with(dictionary, 0, 2), sentence + " at byte " + std::to_string(12 + at), 12 + at);
}

// --- what is read -----------------------------------------------------------------------------------------------------

TEST(npy, headers_as_numpy_writes_them) {
  // np.save of np.zeros((2, 3), '<f4') and of np.asfortranarray(np.zeros((3, 2), '>i2')), NumPy 1.24.
  std::string const rows = std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
                           "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }" + std::string(58, ' ') + "\n";
  std::string const columns = std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
                              "{'descr': '>i2', 'fortran_order': True, 'shape': (3, 2), }" + std::string(59, ' ') +
                              "\n";
  EXPECT_EQ(write_npy_header({"<f4", false, {2, 3}}), rows);
  EXPECT_EQ(write_npy_header({">i2", true, {3, 2}}), columns);
  npy_array const a = read(rows + std::string(24, '\0'));
  EXPECT_EQ(a.header, (npy_header{"<f4", false, {2, 3}}));
  EXPECT_EQ(a.element, element_type::f32);
  EXPECT_EQ(a.elements, 6);
  EXPECT_EQ(a.data_begin, 128);
  EXPECT_EQ(a.data_bytes, 24);
  EXPECT_EQ(read(columns + std::string(12, '\0')).element, element_type::i16);
}

TEST(npy, every_spelling_of_the_dictionary_that_python_reads) {
  npy_header const wanted{"<f4", false, {2, 3}};
  for (char const* dictionary : {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
                                 "{'shape':(2,3),'fortran_order':False,'descr':'<f4'}",
                                 "  {\"descr\": \"<f4\" ,\n\t\"shape\": ( 2 , 3 , ), 'fortran_order' : False }\n",
                                 "{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 3L), }"})
    for (int const major : {1, 2}) EXPECT_EQ(read(file_with(dictionary, 24, major)).header, wanted) << dictionary;
  EXPECT_EQ(read(file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}", 24, 3)).header, wanted);
}

TEST(npy, element_types) {
  struct row {
    char const* descr;
    element_type type;
  };
  using enum element_type;
  for (row const& r : {row{"|b1", boolean}, row{"?", boolean}, row{"|i1", i8},  row{"|u1", u8},  row{"<i2", i16},
                       row{">i2", i16},     row{"<u2", u16},   row{"<i4", i32}, row{"=u4", u32}, row{"<i8", i64},
                       row{">u8", u64},     row{"<f2", f16},   row{"f4", f32},  row{">f8", f64}, row{"<f16", b128},
                       row{"<c8", c64},     row{">c16", c128}, row{"|V2", b16}, row{"|V1", b8},  row{"<M8[ns]", b64},
                       row{"<m8[25s]", b64}})
    EXPECT_EQ(element_type_of_descr(r.descr), r.type) << r.descr;
}

TEST(npy, shapes_without_elements_and_without_axes) {
  npy_array const scalar = read(file_with("{'descr': '<f8', 'fortran_order': False, 'shape': ()}", 8));
  EXPECT_EQ(scalar.elements, 1);
  EXPECT_EQ(format_layout(layout_of(scalar.header)), "1:0");
  npy_array const empty =
      read(file_with("{'descr': '<f8', 'fortran_order': True, 'shape': (9223372036854775807, 0, 5)}", 0));
  EXPECT_EQ(empty.elements, 0);
  EXPECT_EQ(empty.data_bytes, 0);
  EXPECT_EQ(layout_of(empty.header).leaves, 3);
}

TEST(npy, layouts) {
  EXPECT_EQ(format_layout(layout_of({"<f4", false, {2, 3, 4}})), "(2,3,4):(12,4,1)");
  EXPECT_EQ(format_layout(layout_of({"<f4", true, {2, 3, 4}})), "(2,3,4):(1,2,6)");
  EXPECT_EQ(format_layout(layout_of({"<f4", true, {7}})), "(7):(1)");
}

RC_GTEST_PROP(npy, what_is_written_is_read, ()) {
  auto const descr = *rc::gen::element<std::string>("|b1", "<i2", ">i4", "<u8", "<f2", ">f8", "<c16", "|V2", "<M8[ns]");
  auto const rank = *rc::gen::inRange<std::size_t>(0, 6);
  npy_header const header{descr, *rc::gen::arbitrary<bool>(),
                          *rc::gen::container<std::vector<std::int64_t>>(rank, rc::gen::inRange<std::int64_t>(0, 6))};
  std::string const text = write_npy_header(header);
  RC_ASSERT(text.size() % 64 == 0);
  RC_ASSERT(text.back() == '\n');
  std::size_t bytes = static_cast<std::size_t>(bits_of(element_type_of_descr(descr))) / 8;
  for (std::int64_t const extent : header.shape) bytes *= static_cast<std::size_t>(extent);
  npy_array const back = read(text + std::string(bytes, 'x'));
  RC_ASSERT(back.header == header);
  RC_ASSERT(back.data_begin == static_cast<std::int64_t>(text.size()));
  RC_ASSERT(back.data_bytes == static_cast<std::int64_t>(bytes));
}

// --- what is refused --------------------------------------------------------------------------------------------------

TEST(npy, what_does_not_begin_as_a_npy_file) {
  expect_refused("", "the file has 0 bytes and ends inside the version of its format, which goes on to byte 8", 0);
  expect_refused("\x93NUM", "the file has 4 bytes and ends inside the version of its format, which goes on to byte 8",
                 4);
  expect_refused("PK\x03\x04", "a .npy file begins with \\x93NUMPY, and this one has 'P' at byte 0", 0);
  expect_refused("\x93NUMPX\x01\x00", "a .npy file begins with \\x93NUMPY, and this one has 'X' at byte 5", 5);
  expect_refused(std::string("\x93NUMPY\x04\x00\x00\x00", 10),
                 "version 4.0 of the format is unknown; 1.0, 2.0 and 3.0 are read; it stands at byte 6", 6);
  expect_refused(std::string("\x93NUMPY\x01\x01\x00\x00", 10),
                 "version 1.1 of the format is unknown; 1.0, 2.0 and 3.0 are read; it stands at byte 6", 6);
  expect_refused(std::string("\x93NUMPY\x01\x00\x76", 9),
                 "the file has 9 bytes and ends inside the length of its header, which goes on to byte 10", 9);
  expect_refused(std::string("\x93NUMPY\x02\x00\x76\x00", 10),
                 "the file has 10 bytes and ends inside the length of its header, which goes on to byte 12", 10);
  expect_refused(std::string("\x93NUMPY\x01\x00\x76\x00{'descr'", 18),
                 "the file has 18 bytes and ends inside its header, which goes on to byte 128", 18);
  expect_refused(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{}", 14),
                 "a header of 4294967295 bytes is longer than the 1048564 that are read; its length stands at byte 8",
                 8);
}

TEST(npy, broken_dictionaries) {
  expect_dictionary_refused("", "expected '{' to begin the dictionary, found the end of the header", 0);
  expect_dictionary_refused("[]", "expected '{' to begin the dictionary, found '['", 0);
  expect_dictionary_refused("{descr: 1}", "expected a key in quotes, found 'd'", 1);
  expect_dictionary_refused("{'descr' '<f4'}", "expected ':' behind the key 'descr', found '''", 9);
  expect_dictionary_refused("{'dtype': '<f4'}",
                            "unknown key 'dtype'; the keys are 'descr', 'fortran_order' and 'shape'", 1);
  expect_dictionary_refused("{'descr': '<f4', 'descr': '<f4'}", "the key 'descr' stands there twice", 17);
  expect_dictionary_refused("{'descr': '<f4', 'shape': (2,)}", "the key 'fortran_order' is missing", 30);
  expect_dictionary_refused("{'descr': '<f4', 'fortran_order': 0", "expected True or False, found '0'", 34);
  expect_dictionary_refused("{'descr': '<f4', 'fortran_order': False",
                            "expected ',' or '}' behind the value of 'fortran_order', found the end of the header", 39);
  expect_dictionary_refused("{'descr': '<f4", "a string that begins here does not end", 10);
  expect_dictionary_refused("{'descr': '<\\x66\\x34'", "expected plain characters in a string, found '\\'", 12);
  expect_dictionary_refused("{'descr': '<\xc3\xa4'", "expected plain characters in a string, found byte value 195", 12);
  expect_dictionary_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} 7",
                            "expected blanks behind the dictionary, found '7'", 56);
  expect_dictionary_refused("{'descr': [('a', '<f4')]}",
                            "structured elements cannot be moved as numbers; save each field as an array of its own",
                            10);
}

TEST(npy, broken_shapes) {
  auto const shape = [](std::string const& text) {
    return "{'descr': '<f4', 'fortran_order': False, 'shape': " + text + "}";
  };
  expect_dictionary_refused(shape("7"), "expected '(' to begin the shape, found '7'", 50);
  expect_dictionary_refused(shape("[2, 3]"), "expected '(' to begin the shape, found '['", 50);
  expect_dictionary_refused(shape("(7)"), "the shape is a number in parentheses; a tuple of one is written (7,)", 50);
  expect_dictionary_refused(shape("(2, -3)"), "an extent cannot be negative", 54);
  expect_dictionary_refused(shape("(2 3)"), "expected ',' or ')' in the shape, found '3'", 53);
  expect_dictionary_refused(shape("(2, , 3)"), "expected an extent or ')', found ','", 54);
  expect_dictionary_refused(shape("(2.5,)"), "expected ',' or ')' in the shape, found '.'", 52);
  expect_dictionary_refused(shape("(2, 99999999999999999999)"), "an extent does not fit 63 bits", 54);
  std::string many = "(";
  for (int i = 0; i < 65; ++i) many += "1,";
  expect_dictionary_refused(shape(many + ")"), "an array of more than 64 axes", 50);
  expect_dictionary_refused(shape("(4294967296, 4294967296)"),
                            "the shape (4294967296, 4294967296) of elements of 4 bytes needs more than 2^63 bytes", 50);
  // Python 2's long integers are no part of version 3.0.
  expect_refused(file_with(shape("(2L,)"), 8, 3), "expected ',' or ')' in the shape, found 'L' at byte 64", 64);
}

TEST(npy, element_types_that_cannot_be_moved) {
  auto const descr = [](std::string const& text) {
    return "{'descr': '" + text + "', 'fortran_order': False, 'shape': ()}";
  };
  expect_dictionary_refused(descr(""), "the element type '' lacks its kind; '<f4' is a float of 4 bytes", 11);
  expect_dictionary_refused(descr("<"), "the element type '<' lacks its kind; '<f4' is a float of 4 bytes", 12);
  expect_dictionary_refused(descr("<f"), "the element type '<f' lacks its size in bytes; '<f4' is a float of 4 bytes",
                            13);
  expect_dictionary_refused(
      descr("|O"), "the element type '|O' means Python objects, which have no place in memory of their own", 12);
  expect_dictionary_refused(
      descr("<U5"), "the element type '<U5' means strings; what can be moved are numbers of 1, 2, 4, 8 or 16 bytes",
      12);
  expect_dictionary_refused(
      descr("<f3"),
      "the element type '<f3' is none that can be moved; those are bool, integers, floats and complex "
      "numbers of 1 to 16 bytes",
      12);
  expect_dictionary_refused(descr("<f4x"), "the element type '<f4x' goes on behind its size", 14);
  expect_dictionary_refused(descr("<f99999999999999999999"),
                            "the element type '<f99999999999999999999' has more digits than a size can", 13);
}

TEST(npy, data_that_is_not_as_long_as_the_header_says) {
  std::string const dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}";
  std::size_t const begin = 10 + dictionary.size();
  expect_refused(
      file_with(dictionary, 0),
      "the header promises 24 bytes of data ((2, 3) of '<f4') and the file has none; it was cut off at byte " +
          std::to_string(begin),
      begin);
  expect_refused(file_with(dictionary, 23),
                 "the header promises 24 bytes of data ((2, 3) of '<f4') and the file has 23; it was cut off at byte " +
                     std::to_string(begin),
                 begin);
  expect_refused(
      file_with(dictionary, 25),
      "the header promises 24 bytes of data ((2, 3) of '<f4') and the file has 25; what is behind them is no part "
      "of the array at byte " +
          std::to_string(begin + 24),
      begin + 24);
}

TEST(npy, headers_that_cannot_be_written) {
  EXPECT_THROW((void)write_npy_header({"<q9", false, {2}}), npy_error);
  EXPECT_THROW((void)write_npy_header({"<f4", false, {-2}}), npy_error);
  EXPECT_THROW((void)write_npy_header({"<f4", false, {-2, 0}}), npy_error);
  EXPECT_THROW((void)write_npy_header({"<f4', 'x': '", false, {2}}), npy_error);
  EXPECT_THROW((void)write_npy_header({"<f4", false, {int64_max, 2}}), npy_error);
  EXPECT_THROW((void)write_npy_header({"<f4", false, std::vector<std::int64_t>(65, 1)}), npy_error);
}

}  // namespace
}  // namespace tilewright
