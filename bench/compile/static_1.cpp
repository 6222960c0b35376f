// The first 1 of the static operations.
#include "operations.hpp"

long long sum(int m) { return tilewright::bench::first_operations<tilewright::bench::static_operations, 1>(m); }
