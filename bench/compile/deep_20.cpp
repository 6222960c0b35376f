// Twenty operations on static layouts of 30 leaves.
#include "operations.hpp"

long long sum(int m) { return tilewright::bench::first_operations<tilewright::bench::deep_operations, 20>(m); }
