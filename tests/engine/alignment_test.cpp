// Pointers that are no multiple of an element: a CPU moves bytes and takes any, a GPU's accesses need whole elements and
// are refused before a plan is made, with or without a GPU.
#include "tilewright/engine/copy.hpp"
#include "tilewright/layout/text.hpp"

#include <gtest/gtest.h>
#include <cstring>
#include <numeric>
#include <vector>

namespace tilewright {
namespace {

TEST(alignment, a_cpu_copies_from_and_to_any_byte) {
  for (int bits : {16, 32, 64, 128})
    for (std::size_t shift : {1u, 3u, 7u}) {
      auto const bytes = static_cast<std::size_t>(bits / 8);
      std::vector<unsigned char> from(6 * 5 * bytes + shift), to(from.size());
      std::iota(from.begin(), from.end(), static_cast<unsigned char>(1));
      element_type const type = bits == 16   ? element_type::b16
                                : bits == 32 ? element_type::b32
                                : bits == 64 ? element_type::b64
                                             : element_type::b128;
      copy({from.data() + shift, composed(parse_layout("(6,5):(5,1)")), type},
           {to.data() + shift, composed(parse_layout("(6,5):(1,6)")), type});
      for (std::size_t r = 0; r < 6; ++r)
        for (std::size_t c = 0; c < 5; ++c)
          EXPECT_EQ(
              std::memcmp(to.data() + shift + (r + 6 * c) * bytes, from.data() + shift + (5 * r + c) * bytes, bytes),
              0);
    }
}

copy_status on_gpu(std::uintptr_t src, std::uintptr_t dst, element_type type) {
  composed_value const layout = composed(parse_layout("(4,8):(8,1)"));
  return try_copy({reinterpret_cast<void const*>(src), layout, type, cuda(0)},
                  {reinterpret_cast<void*>(dst), layout, type, cuda(0)});
}

TEST(alignment, a_gpu_needs_whole_elements) {
  copy_status const source = on_gpu(0x10002, 0x20000, element_type::f32);
  EXPECT_EQ(source.code, copy_errc::bad_pointer);
  EXPECT_EQ(
      source.message,
      "the source at 0x10002 is not a multiple of the 4 bytes of an element of f32, which a GPU's loads and stores "
      "need; let the tensor start at an element, or copy it as one of u8");
  copy_status const destination = on_gpu(0x10000, 0x20008, element_type::c128);
  EXPECT_EQ(destination.code, copy_errc::bad_pointer);
  EXPECT_EQ(destination.message.find("the destination at 0x20008 is not a multiple of the 16 bytes"), 0u)
      << destination.message;
  // What is aligned gets past this check, whatever else is wrong with such addresses.
  for (auto const& [src, type] : {std::pair{0x10001, element_type::u8}, std::pair{0x10001, element_type::u4},
                                  std::pair{0x10002, element_type::bf16}, std::pair{0x10010, element_type::c128}})
    EXPECT_EQ(on_gpu(static_cast<std::uintptr_t>(src), 0x20000, type).message.find("is not a multiple"),
              std::string::npos);
}

}  // namespace
}  // namespace tilewright
