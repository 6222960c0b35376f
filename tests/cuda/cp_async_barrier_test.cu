// archs: 80 90
// cp.async whose completion arrives at an mbarrier that counts it, with zeros where a predicate says so: on the device, and
// with the host bodies.
#include "support/cp_async_ring.hpp"

using namespace tilewright::cuda_test;

int main() {
  return run("cp.async on mbarriers", [] {
    test_ring<1, true>("one stage", 5, 64);
    test_ring<2, true>("two stages", 9, 64);
    test_ring<4, true>("four stages", 31, 96);
    test_ring<4, true>("more stages than tiles", 3, 32);
  });
}
