// archs: 90
// A pipeline of bulk copies on mbarriers (see pipeline.hpp).
#include "examples/pipeline.hpp"

int main() { return tilewright::examples::run_pipeline(); }
