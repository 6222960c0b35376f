// Compiled with -fno-exceptions by no_exceptions.py: both faces, and an error.
#include <cstdio>
#include <cstring>

#include "tilewright/algebra/value_operations.hpp"
#include "tilewright/layout/text.hpp"
#include "tilewright/tilewright.hpp"

using namespace tilewright;

int main(int count, char** words) {
  float data[32] = {};
  auto const tensor = make_tensor(&data[0], make_shape(4, 8), make_stride(8, _1{}));
  for (int i = 0; i < static_cast<int>(size(tensor)); ++i) tensor(i) = static_cast<float>(i);
  bool const misuse = count > 1 && std::strcmp(words[1], "misuse") == 0;
  if (misuse) return static_cast<int>(tensor(static_cast<int>(4), 0));
  layout_value const layout = parse_layout(count > 1 ? words[1] : "(4,8):(8,1)");
  auto const inverse = right_inverse(layout);
  if (!inverse) return 1;
  std::printf("offset %d, %s\n", static_cast<int>(tensor.layout()(3, 1)), format_layout(*inverse).c_str());
}
