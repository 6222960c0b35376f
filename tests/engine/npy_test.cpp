// .npy headers: what NumPy writes is read and written byte for byte; whatever else is one sentence with the byte where
// it goes wrong. convert_numpy_test.py does the same against NumPy itself.
#include "tilewright/engine/npy.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
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
  EXPECT_EQ(a.element.unit, element_type::f32);
  EXPECT_EQ(a.element.bytes, 4);
  EXPECT_EQ(a.version, 1);
  EXPECT_EQ(a.elements, 6);
  EXPECT_EQ(a.data_begin, 128);
  EXPECT_EQ(a.data_bytes, 24);
  EXPECT_EQ(read(columns + std::string(12, '\0')).element.unit, element_type::i16);
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
    EXPECT_EQ(element_of_descr(r.descr).unit, r.type) << r.descr;
}

/// The numbers of an element as text: "2x4 little at 8" for two of four bytes from byte 8.
std::string numbers_of(npy_element const& e) {
  std::string out;
  for (npy_numbers const& n : e.numbers) {
    out += (out.empty() ? "" : ", ") + std::to_string(n.count) + "x" + std::to_string(n.bytes);
    if (!n.inner.empty()) out += " {" + numbers_of({element_type::b8, n.bytes, n.inner}) + "}";
    else out += n.order == byte_order::big ? " big" : " little";
    out += " at " + std::to_string(n.begin);
  }
  return out;
}

TEST(npy, elements_of_any_width) {
  struct row {
    char const* descr;
    std::int64_t bytes;
    std::int64_t units;
    char const* numbers;
  };
  for (row const& r : {row{"|S5", 5, 5, ""}, row{"<U5", 20, 5, "5x4 little at 0"}, row{">U4", 16, 1, "4x4 big at 0"},
                       row{"|S0", 0, 0, ""}, row{"|V3", 3, 3, ""}, row{"|V24", 24, 3, ""}, row{"|S48", 48, 3, ""},
                       row{">c8", 8, 1, "2x4 big at 0"}, row{"<f16", 16, 1, "1x16 little at 0"},
                       row{"<c32", 32, 2, "2x16 little at 0"}, row{">M8[us]", 8, 1, "1x8 big at 0"},
                       row{"|u1", 1, 1, ""}, row{"[('x', '<f4'), ('y', '|u1')]", 5, 5, "1x4 little at 0"},
                       row{"[('x', '>i2'), ('y', '<f8', (2, 3))]", 50, 25, "1x2 big at 0, 6x8 little at 2"},
                       row{"[('a', '|S3'), ('', '|V5'), ('n', [('p', '<f4'), ('q', '|b1')], (4,))]", 28, 7,
                           "4x5 {1x4 little at 0} at 8"},
                       row{"[(('a title', 'x'), '<i8')]", 8, 1, "1x8 little at 0"},
                       row{"[('x', '<f4', (0,))]", 0, 0, ""}, row{"[]", 0, 0, ""}}) {
    npy_element const e = element_of_descr(r.descr);
    EXPECT_EQ(e.bytes, r.bytes) << r.descr;
    EXPECT_EQ(e.units(), r.units) << r.descr;
    EXPECT_EQ(numbers_of(e), r.numbers) << r.descr;
    EXPECT_EQ(e.units() * bits_of(e.unit) / 8, e.bytes) << r.descr;
  }
}

TEST(npy, byte_orders_are_written_into_every_number) {
  EXPECT_EQ(descr_in_byte_order(">f4", byte_order::little), "<f4");
  EXPECT_EQ(descr_in_byte_order("f4", byte_order::big), ">f4");
  EXPECT_EQ(descr_in_byte_order("<M8[ns]", byte_order::big), ">M8[ns]");
  EXPECT_EQ(descr_in_byte_order("|S5", byte_order::big), "|S5");
  EXPECT_EQ(descr_in_byte_order("|u1", byte_order::big), "|u1");
  EXPECT_EQ(descr_in_byte_order("[('x', '<f4'), ('n', [('s', '|S2'), ('c', '<c16', (2,))])]", byte_order::big),
            "[('x', '>f4'), ('n', [('s', '|S2'), ('c', '>c16', (2,))])]");
}

TEST(npy, bytes_of_numbers_are_reversed_and_others_stay) {
  npy_element const e = element_of_descr("[('s', '|S2'), ('x', '>u2'), ('n', [('y', '<u2'), ('z', '>u4')], (2,))]");
  std::string text = "ab12-cdefgh-CDEFGHAB34-ijklmn-IJKLMN";
  text.erase(std::remove(text.begin(), text.end(), '-'), text.end());
  convert_byte_order(std::as_writable_bytes(std::span(text)), e, byte_order::little);
  EXPECT_EQ(text, "ab21cdhgfeCDHGFEAB43ijnmlkIJNMLK");
  std::string wide = "0123456789abcdef";
  convert_byte_order(std::as_writable_bytes(std::span(wide)), element_of_descr(">f16"), byte_order::little);
  EXPECT_EQ(wide, "fedcba9876543210");
  std::string unchanged = "01234567";
  convert_byte_order(std::as_writable_bytes(std::span(unchanged)), element_of_descr("<u2"), byte_order::little);
  EXPECT_EQ(unchanged, "01234567");
}

TEST(npy, fields_with_any_spacing_and_names) {
  auto const descr_of = [](std::string const& descr, int major) {
    std::string const dictionary = "{'descr': " + descr + ", 'fortran_order': False, 'shape': (0,)}";
    return read(file_with(dictionary, 0, major)).header.descr;
  };
  EXPECT_EQ(descr_of("[ ( 'x','<f4' ) ,(\"y\" , '|u1',(2,3),),('z','<i8', 4)]", 1),
            "[('x', '<f4'), (\"y\", '|u1', (2, 3)), ('z', '<i8', (4,))]");
  EXPECT_EQ(descr_of("[('it\\'s', '<f4')]", 1), "[('it\\'s', '<f4')]");
  EXPECT_EQ(descr_of("[('\xe9', '<f4')]", 1), "[('\xc3\xa9', '<f4')]");      // Latin-1
  EXPECT_EQ(descr_of("[('\xc3\xa9', '<f4')]", 3), "[('\xc3\xa9', '<f4')]");  // UTF-8
}

TEST(npy, versions_are_the_lowest_that_will_do) {
  npy_header const plain{"<f4", false, {2, 3}};
  EXPECT_EQ(write_npy_header(plain)[6], 1);
  for (int const version : {1, 2, 3}) {
    std::string const text = write_npy_header(plain, version);
    EXPECT_EQ(text[6], version);
    EXPECT_EQ(text.size() % 64, 0u);
    npy_array const back = read(text + std::string(24, 'x'));
    EXPECT_EQ(back.header, plain);
    EXPECT_EQ(back.version, version);
  }
  npy_header const latin{"[('\xc3\xa9', '<f4')]", false, {0}}, greek{"[('\xcf\x80', '<f4')]", false, {0}};
  EXPECT_EQ(write_npy_header(latin)[6], 1);
  EXPECT_EQ(write_npy_header(greek)[6], 3);
  EXPECT_EQ(read(write_npy_header(latin)).header, latin);
  EXPECT_EQ(read(write_npy_header(greek)).header, greek);
  EXPECT_THROW((void)write_npy_header(greek, 1), npy_error);
  EXPECT_THROW((void)write_npy_header(greek, 2), npy_error);
  EXPECT_THROW((void)write_npy_header(plain, 4), npy_error);
  npy_header wide{"[", false, {0}};
  for (int i = 0; i < 5000; ++i)
    wide.descr.append(i > 0 ? ", " : "").append("('f").append(std::to_string(i)).append("', '<f4')");
  wide.descr += "]";
  EXPECT_EQ(write_npy_header(wide)[6], 2);
  EXPECT_EQ(read(write_npy_header(wide)).header, wide);
  EXPECT_THROW((void)write_npy_header(wide, 1), npy_error);
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
  auto const descr = *rc::gen::element<std::string>("|b1", "<i2", ">i4", "<u8", "<f2", ">f8", "<c16", "|V2", "<M8[ns]",
                                                    "|S7", "<U3", "|S0", "[('x', '<f4'), ('y', '|S3', (2,))]");
  auto const rank = *rc::gen::inRange<std::size_t>(0, 6);
  npy_header const header{descr, *rc::gen::arbitrary<bool>(),
                          *rc::gen::container<std::vector<std::int64_t>>(rank, rc::gen::inRange<std::int64_t>(0, 6))};
  std::string const text = write_npy_header(header);
  RC_ASSERT(text.size() % 64 == 0);
  RC_ASSERT(text.back() == '\n');
  auto bytes = static_cast<std::size_t>(element_of_descr(descr).bytes);
  for (std::int64_t const extent : header.shape) bytes *= static_cast<std::size_t>(extent);
  npy_array const back = read(text + std::string(bytes, 'x'));
  RC_ASSERT(back.header == header);
  RC_ASSERT(back.data_begin == static_cast<std::int64_t>(text.size()));
  RC_ASSERT(back.data_bytes == static_cast<std::int64_t>(bytes));
}

// --- what is refused --------------------------------------------------------------------------------------------------

TEST(npy, what_does_not_begin_as_a_npy_file) {
  expect_refused("", "the file has 0 bytes and ends inside the version of its format, which has its last at byte 7", 0);
  expect_refused("\x93NUM",
                 "the file has 4 bytes and ends inside the version of its format, which has its last at byte 7", 4);
  expect_refused("PK\x03\x04", "a .npy file begins with \\x93NUMPY, and this one has 'P' at byte 0", 0);
  expect_refused("\x93NUMPX\x01\x00", "a .npy file begins with \\x93NUMPY, and this one has 'X' at byte 5", 5);
  expect_refused(std::string("\x93NUMPY\x04\x00\x00\x00", 10),
                 "versions 1.0, 2.0 and 3.0 of the format are read, and this file has version 4.0 at byte 6", 6);
  expect_refused(std::string("\x93NUMPY\x01\x01\x00\x00", 10),
                 "versions 1.0, 2.0 and 3.0 of the format are read, and this file has version 1.1 at byte 6", 6);
  expect_refused(std::string("\x93NUMPY\x01\x00\x76", 9),
                 "the file has 9 bytes and ends inside the length of its header, which has its last at byte 9", 9);
  expect_refused(std::string("\x93NUMPY\x02\x00\x76\x00", 10),
                 "the file has 10 bytes and ends inside the length of its header, which has its last at byte 11", 10);
  expect_refused(std::string("\x93NUMPY\x01\x00\x76\x00{'descr'", 18),
                 "the file has 18 bytes and ends inside its header, which has its last at byte 127", 18);
  expect_refused(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{}", 14),
                 "headers of up to 1048564 bytes are read, and this file has one of 4294967295 at byte 8", 8);
}

TEST(npy, broken_dictionaries) {
  expect_dictionary_refused("", "expected '{' to begin the dictionary, found the end of the header", 0);
  expect_dictionary_refused("[]", "expected '{' to begin the dictionary, found '['", 0);
  expect_dictionary_refused("{descr: 1}", "expected a key in quotes, found 'd'", 1);
  expect_dictionary_refused("{'descr' '<f4'}", "expected ':' after the key 'descr', found '''", 9);
  expect_dictionary_refused("{'dtype': '<f4'}",
                            "the key 'dtype' is unknown; the keys are 'descr', 'fortran_order' and 'shape'", 1);
  expect_dictionary_refused("{'descr': '<f4', 'descr': '<f4'}", "the key 'descr' is given twice", 17);
  expect_dictionary_refused("{'descr': '<f4', 'shape': (2,)}", "the key 'fortran_order' is missing", 30);
  expect_dictionary_refused("{'descr': '<f4', 'fortran_order': 0", "expected True or False, found '0'", 34);
  expect_dictionary_refused("{'descr': '<f4', 'fortran_order': False",
                            "expected ',' or '}' after the value of 'fortran_order', found the end of the header", 39);
  expect_dictionary_refused("{'descr': '<f4", "a string that begins here does not end", 10);
  expect_dictionary_refused("{'descr': '<\\x66\\x34'",
                            "expected a type string of printable ASCII characters, found '<\\x66\\x34'", 11);
  expect_dictionary_refused("{'descr': '<\\q'",
                            "the escape in a string is unknown; known are \\\\, \\', \\n, \\xHH and the like", 12);
  expect_dictionary_refused("{'descr': '<f4\x01'", "expected a printable character in a string, found byte value 1",
                            14);
  expect_dictionary_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} 7",
                            "expected blanks after the dictionary, found '7'", 56);
}

TEST(npy, broken_fields) {
  auto const refused = [](std::string const& fields, std::string const& sentence, std::size_t at) {
    expect_dictionary_refused("{'descr': " + fields + ", 'fortran_order': False, 'shape': ()}", sentence, 10 + at);
  };
  refused("['x']", "expected '(' to begin a field, found '''", 1);
  refused("[('x')]", "expected ',' after the name of a field, found ')'", 5);
  refused("[(1, '<f4')]", "expected the name of a field in quotes, found '1'", 2);
  refused("[('x', 7)]", "expected the type of a field in quotes, found '7'", 7);
  refused("[('x', '<f3')]",
          "the element type '<f3' is unknown; read are bool (b1), integers (i1 to i8, u1 to u8), floats (f2 to f16), "
          "complex numbers (c8 to c32), dates (M8, m8), strings (S, U) and bytes (V)",
          9);
  refused("[('x', '|O')]",
          "the element type '|O' means Python objects, which are not stored as bytes; save numbers or strings instead",
          9);
  refused("[('x', '<f4'), ('x', '<f8')]", "two fields have the name 'x'", 16);
  refused("[('x', '<f4', (2, -1))]", "an extent cannot be negative", 18);
  refused("[('x', '<f8', (4611686018427387904, 4))]", "the shape of a field is beyond 63 bits", 14);
  refused("[('x', '<f8', (4611686018427387904,))]", "the size of a structured element is beyond 63 bits", 7);
  refused("[('x', '<f4') ('y', '<f4')]", "expected ',' or ']' after a field, found '('", 14);
  std::string deep, end;
  for (int i = 0; i < 40; ++i) deep += "[('a', ", end += ")]";
  expect_dictionary_refused("{'descr': " + deep + "'<f4'" + end, "structured elements are nested deeper than 32 levels",
                            10 + 32 * 7);
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
  expect_dictionary_refused(shape("(2, 99999999999999999999)"), "an extent is beyond 63 bits", 54);
  std::string many = "(";
  for (int i = 0; i < 65; ++i) many += "1,";
  expect_dictionary_refused(shape(many + ")"), "the array has more than 64 axes", 50);
  expect_dictionary_refused(shape("(4294967296, 4294967296)"),
                            "the shape (4294967296, 4294967296) of elements of 4 bytes needs more than 2^63 bytes", 50);
  // Python 2's long integers are no part of version 3.0.
  expect_refused(file_with(shape("(2L,)"), 8, 3), "expected ',' or ')' in the shape, found 'L' at byte 64", 64);
}

TEST(npy, element_types_that_are_refused) {
  auto const descr = [](std::string const& text) {
    return "{'descr': '" + text + "', 'fortran_order': False, 'shape': ()}";
  };
  expect_dictionary_refused(descr(""), "the element type '' lacks its kind; '<f4' is a float of 4 bytes", 11);
  expect_dictionary_refused(descr("<"), "the element type '<' lacks its kind; '<f4' is a float of 4 bytes", 12);
  expect_dictionary_refused(descr("<f"), "the element type '<f' lacks its size; '<f4' is a float of 4 bytes", 13);
  expect_dictionary_refused(
      descr("|O"),
      "the element type '|O' means Python objects, which are not stored as bytes; save numbers or strings instead", 12);
  expect_dictionary_refused(
      descr("<f3"),
      "the element type '<f3' is unknown; read are bool (b1), integers (i1 to i8, u1 to u8), floats "
      "(f2 to f16), complex numbers (c8 to c32), dates (M8, m8), strings (S, U) and bytes (V)",
      12);
  expect_dictionary_refused(descr("<f4x"), "the element type '<f4x' has characters after its size", 14);
  expect_dictionary_refused(descr("<f99999999999999999999"),
                            "the element type '<f99999999999999999999' has a size beyond 63 bits", 13);
}

TEST(npy, data_that_is_not_as_long_as_the_header_says) {
  std::string const dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}";
  std::size_t const begin = 10 + dictionary.size();
  std::string const declared = "the header declares 24 bytes of data, (2, 3) of <f4, and the file has ";
  expect_refused(file_with(dictionary, 0),
                 declared + "none; the file is incomplete: its data begins at byte " + std::to_string(begin), begin);
  expect_refused(file_with(dictionary, 23),
                 declared + "23; the file is incomplete: its data begins at byte " + std::to_string(begin), begin);
  expect_refused(file_with(dictionary, 25),
                 declared + "25; what follows the array begins at byte " + std::to_string(begin + 24), begin + 24);
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
