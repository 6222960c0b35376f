// A tiled copy explained (see explain_copy.hpp).
#include "examples/explain_copy.hpp"

int main() { return tilewright::examples::run_explain_copy(); }
