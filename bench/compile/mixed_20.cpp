// Twenty operations on layouts with run-time extents and strides.
#include "operations.hpp"

long long sum(int m) { return tilewright::bench::first_operations<tilewright::bench::mixed_operations, 20>(m); }
