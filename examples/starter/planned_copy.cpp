// A planned copy: a row-major matrix is copied to a column-major one, and the plan is proved and printed.
#include "tilewright/engine/copy.hpp"
#include "tilewright/layout/text.hpp"
#include "tilewright/plan/prove.hpp"

#include <cstdio>
#include <numeric>
#include <vector>

using namespace tilewright;

int main() {
  std::vector<float> rows(600 * 400), columns(600 * 400);
  std::iota(rows.begin(), rows.end(), 0.0f);
  tensor_view const src{rows.data(), composed(parse_layout("(600,400):(400,1)")), element_type::f32};
  tensor_view const dst{columns.data(), composed(parse_layout("(600,400):(1,600)")), element_type::f32};
  copy(src, dst);
  std::printf("planned copy: %s\n", columns[1] == rows[400] && columns[600] == rows[1] ? "copied" : "wrong");
  std::printf("%s", explain(plan_for(src, dst)).c_str());
  std::printf("proved: %s\n", prove(plan_for(src, dst)) ? "yes" : "no");
}
