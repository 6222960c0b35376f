// Element types: widths from their names, names both ways, NumPy's names.
#include "tilewright/engine/element_type.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string>

#include "tilewright/plan/copy_error.hpp"

namespace tilewright {
namespace {

constexpr int last = static_cast<int>(element_type::c128);

/// The digits at the end of a short name.
int bits_in_name(std::string const& name) {
  if (name == "bool") return 8;
  return std::stoi(name.substr(name.find_first_of("0123456789")));
}

TEST(element_type, names_state_the_width_and_lead_back) {
  std::set<std::string> names;
  for (int i = 0; i <= last; ++i) {
    auto const type = static_cast<element_type>(i);
    std::string const name = name_of(type);
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(bits_of(type), bits_in_name(name)) << name;
    EXPECT_EQ(element_type_named(name), type) << name;
  }
}

TEST(element_type, numpy_names) {
  EXPECT_EQ(element_type_named("float32"), element_type::f32);
  EXPECT_EQ(element_type_named("float16"), element_type::f16);
  EXPECT_EQ(element_type_named("bfloat16"), element_type::bf16);
  EXPECT_EQ(element_type_named("complex64"), element_type::c64);
  EXPECT_EQ(element_type_named("complex128"), element_type::c128);
  EXPECT_EQ(element_type_named("bool"), element_type::boolean);
  EXPECT_EQ(element_type_named("uint8"), element_type::u8);
  EXPECT_EQ(element_type_named("int64"), element_type::i64);
  for (char const* unknown : {"", "f", "float", "i7", "F32", "float32 ", "complex32"})
    EXPECT_EQ(element_type_named(unknown), std::nullopt) << unknown;
}

TEST(element_type, numbers_beyond_the_enumeration_are_refused) {
  for (int const number : {-1, last + 1, 1'000'000}) {
    try {
      (void)bits_of(static_cast<element_type>(number));
      FAIL() << number;
    } catch (copy_error const& e) {
      EXPECT_EQ(e.code(), copy_errc::bad_element);
      EXPECT_NE(std::string(e.what()).find(std::to_string(number)), std::string::npos) << e.what();
    }
  }
}

}  // namespace
}  // namespace tilewright
