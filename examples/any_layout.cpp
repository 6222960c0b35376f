// A row-major matrix becomes column-major (see any_layout.hpp).
#include "examples/any_layout.hpp"

int main() { return tilewright::examples::run_any_layout(); }
