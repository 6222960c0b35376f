// The first half of `./run demo`: a small program, so that it is compiled soon.
#include "apps/demo/parts.hpp"

int main() { return tilewright::cli::show_programs() ? 0 : 1; }
