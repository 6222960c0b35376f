// The whole library included, nothing used.
#include "tilewright/tilewright.hpp"
