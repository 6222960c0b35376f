// Runs the functions of copies.cpp for every thread and compares: what their machine code is said to move, it does move.
// Threads beyond the copies' own must leave everything as it is.
#include <cstdio>
#include <vector>

extern "C" {
void copy_16x8(float const* src, float* dst, int thread);
void copy_128x128(float const* src, float* dst, int thread);
void active_16x8(float const* src, float* dst, int thread);
void by_hand_16x8(float const* src, float* dst, int thread);
}

namespace {

struct alignas(64) tile {
  float at[128 * 128];
};
tile src, dst;

bool moves(void (*copy)(float const*, float*, int), int elements, int threads) {
  for (float& x : dst.at) x = -1;
  for (int t = 0; t < threads; ++t) copy(src.at, dst.at, t);
  for (int i = 0; i < 128 * 128; ++i)
    if (dst.at[i] != (i < elements ? src.at[i] : -1.0f)) return false;
  return true;
}

bool leaves_alone(void (*copy)(float const*, float*, int)) {
  for (float& x : dst.at) x = -1;
  for (int t : {-1, 32, 33, 1000}) copy(src.at, dst.at, t);
  for (float x : dst.at)
    if (x != -1) return false;
  return true;
}

}  // namespace

int main() {
  for (int i = 0; i < 128 * 128; ++i) src.at[i] = static_cast<float>(i);
  bool const right = moves(copy_16x8, 128, 32) && moves(copy_128x128, 128 * 128, 32) && moves(active_16x8, 128, 32) &&
                     moves(by_hand_16x8, 128, 32) && leaves_alone(copy_16x8) && leaves_alone(copy_128x128);
  if (!right) std::printf("the copies do not move what they should.\n");
  return right ? 0 : 1;
}
