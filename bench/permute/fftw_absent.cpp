// Replaces fftw_peer.cpp where FFTW is not installed.
#include "party.hpp"

namespace tilewright::bench {

std::unique_ptr<party> make_fftw() { return nullptr; }

}  // namespace tilewright::bench
