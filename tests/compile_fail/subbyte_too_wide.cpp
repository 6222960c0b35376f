// name: a packed integer of eight bits
// error: integer_subbyte: a packed integer has 1 to 7 bits
// meaning: from eight bits on an integer has its own bytes.
// remedy: use an ordinary integer.
#include "tilewright/tensor/partition.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
signed char level{};
#else
integer_subbyte<8> level{};
#endif
