// Elements of Python as elements that copies move; both extension modules have it.
#include "python/src/distributed.hpp"

#include <algorithm>

namespace tilewright::python {

items items_of(std::int64_t bytes) {
  std::int64_t const unit = std::min<std::int64_t>(16, bytes & -bytes);
  element_type const type = unit == 1   ? element_type::b8
                            : unit == 2 ? element_type::b16
                            : unit == 4 ? element_type::b32
                            : unit == 8 ? element_type::b64
                                        : element_type::b128;
  return {type, bytes / unit};
}

distributed_layout in_items(distributed_layout const& layout, items const& of) {
  return of.count == 1 ? layout : with_split_elements(layout, of.count);
}

}  // namespace tilewright::python
