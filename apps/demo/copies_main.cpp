// The second half of `./run demo`: it needs all of the engine.
#include "apps/demo/parts.hpp"

int main() { return tilewright::cli::show_large_copies(4096, std::size_t{256} << 20) ? 0 : 1; }
