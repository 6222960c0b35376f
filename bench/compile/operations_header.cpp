// The algebra included, nothing used.
#include "tilewright/algebra/operations.hpp"
