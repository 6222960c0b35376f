// A familiar yardstick: one header of the standard library.
#include <vector>
