// Tiled copies on tensors that the analyses are compared on: threads and values in several orders, on tensors that are
// compact, padded, strided, nested, reversed, offset and swizzled.
#pragma once

#include <ostream>

#include "plain_analysis.hpp"

namespace tilewright::tests {

struct copy_case {
  tiling::declaration copy{};
  composed_value tensor{};
  friend std::ostream& operator<<(std::ostream& out, copy_case const& c) {
    return out << c.copy.atom.count << " bits of " << c.copy.element.count << ", thr " << format_layout(c.copy.thr)
               << ", val " << format_layout(c.copy.val) << ", tensor " << format_composed(c.tensor);
  }
};

inline std::vector<copy_case> some_copies() {
  struct partition {
    char const *thr, *val;
  };
  std::vector<copy_case> out;
  for (partition const p : {partition{"(4,8):(1,4)", "(4,1):(1,0)"}, partition{"(4,8):(8,1)", "(1,4):(0,1)"},
                            partition{"(8,8):(1,8)", "(2,2):(1,2)"}, partition{"(8,4):(4,1)", "(2,2):(2,1)"},
                            partition{"(16,1):(1,0)", "(1,8):(0,1)"}})
    for (composed_value const& tensor :
         {plain("(32,32):(1,32)"), plain("(32,32):(32,1)"), plain("(32,32):(1,33)"), plain("(32,32):(36,1)"),
          plain("((2,16),32):((1,64),2)"), plain("(32,(4,8)):(4,(1,128))"), plain("(32,32):(2,64)"),
          plain("(32,32):(0,1)"), plain("(32,32):(1,-32)"), swizzled({2, 2, 3}, "(32,32):(32,1)"),
          swizzled({3, 0, 5}, "(32,32):(32,1)"), swizzled({1, 1, -3}, "(32,32):(1,32)"),
          composed_value{{2, 3, 3}, constant_leaf(6), parse_layout("(32,32):(1,32)")}})
      for (long long const element : {8, 16, 32}) {
        if (element != 32 && tensor.swizzle.bits == 0 && tensor.layout.stride[0].is(0)) continue;
        out.push_back({{{4 * element}, {element}, parse_layout(p.thr), parse_layout(p.val)}, tensor});
      }
  for (copy_case& c : out)  // offsets below a swizzle, and those a set of bytes can divide, must not be negative
    if (c.tensor.layout.stride[1].number < 0) c.tensor.offset = constant_leaf(31 * 32);
  return out;
}

}  // namespace tilewright::tests
