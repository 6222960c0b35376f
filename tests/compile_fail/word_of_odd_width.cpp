// name: a word of 24 bits
// error: word: a vector access has 8, 16, 32, 64, 128 or 256 bits
// meaning: no machine loads three bytes at once.
// remedy: use a width that machines have.
#include "tilewright/tensor/partition.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
word<32> pixel{};
#else
word<24> pixel{};
#endif
