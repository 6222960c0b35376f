// archs: 80 90
// sanitizer: memcheck racecheck initcheck
// cp.async whose completion is one more arrival of the phase at hand (PTX: pending count + 1, then arrive), beside each
// thread's own: on the device, and with the host bodies. synccheck reports a missing wait at the thread's own arrival, as if
// that one more were not counted; where it is not (cp_async_barrier_test) it has nothing to report.
#include "support/cp_async_ring.hpp"

using namespace tilewright::cuda_test;

int main() {
  return run("cp.async on mbarriers, one more arrival", [] {
    test_ring<2, false>("two stages", 9, 64);
    test_ring<4, false>("four stages", 31, 96);
  });
}
