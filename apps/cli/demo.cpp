#include "apps/cli/command.hpp"
namespace tilewright::cli {
int run_demo(words const&) { return 0; }
}
