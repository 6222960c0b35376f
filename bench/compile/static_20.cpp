// The first 20 of the static operations.
#include "operations.hpp"

long long sum(int m) { return tilewright::bench::first_operations<tilewright::bench::static_operations, 20>(m); }
