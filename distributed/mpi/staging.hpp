// Where chunks are packed and unpacked: slots of one size, half of them to send from and half to receive in. Ranks of one
// machine see each other's slots to send from, where shared memory is allowed: a receiver then unpacks from the sender's.
#pragma once

#include <mpi.h>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilewright::mpi {

class staging {
 public:
  staging() = default;
  staging(staging const&) = delete;
  staging& operator=(staging const&) = delete;

  /// Collective. `total` bytes at most, in slots of `slot` bytes; `needed` says whether this rank packs anything.
  void allocate(MPI_Comm comm, std::int64_t total, std::int64_t slot, bool needed, bool share);
  /// Collective.
  void free();

  int send_slots() const { return send_slots_; }
  int receive_slots() const { return receive_slots_; }
  std::byte* send_slot(int i) { return send_ + i * slot_; }
  std::byte* receive_slot(int i) { return receive_.data() + i * slot_; }
  /// The other rank's slots to send from; null on another machine.
  std::byte const* slots_of(int rank) const {
    return peers_.empty() ? nullptr : peers_[static_cast<std::size_t>(rank)];
  }
  bool is_shared_with(int rank) const { return !peers_.empty() && node_[static_cast<std::size_t>(rank)]; }
  /// Between writing a slot and saying so, and between hearing so and reading.
  void synchronize();
  std::int64_t bytes() const { return bytes_; }

 private:
  void find_peers(MPI_Comm comm);

  std::int64_t slot_ = 0, bytes_ = 0;
  int send_slots_ = 0, receive_slots_ = 0;
  std::byte* send_ = nullptr;
  std::vector<std::byte> private_send_, receive_;
  std::vector<std::byte const*> peers_;
  std::vector<bool> node_;
  MPI_Comm node_comm_ = MPI_COMM_NULL;
  MPI_Win window_ = MPI_WIN_NULL;
};

}  // namespace tilewright::mpi
