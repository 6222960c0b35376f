#include "distributed/mpi/staging.hpp"

#include "distributed/mpi/agree.hpp"

#include <algorithm>

namespace tilewright::mpi {

namespace {

constexpr int max_slots = 16;  // on each side

}  // namespace

void staging::allocate(MPI_Comm comm, std::int64_t total, std::int64_t slot, bool needed, bool share) {
  slot_ = slot;
  int const slots = static_cast<int>(std::clamp<std::int64_t>(total / 2 / slot, 1, max_slots));
  send_slots_ = receive_slots_ = slots;
  std::int64_t const half = needed ? slots * slot : 0;
  bytes_ = 2 * half;
  if (share) {
    check(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node_comm_), "MPI_Comm_split_type");
    int size = 1;
    check(MPI_Comm_size(node_comm_, &size), "MPI_Comm_size");
    if (size > 1) {
      MPI_Comm_set_errhandler(node_comm_, MPI_ERRORS_RETURN);
      check(MPI_Win_allocate_shared(static_cast<MPI_Aint>(half), 1, MPI_INFO_NULL, node_comm_,
                                    static_cast<void*>(&send_), &window_),
            "MPI_Win_allocate_shared");
      check(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
      find_peers(comm);
    }
  }
  if (window_ == MPI_WIN_NULL) {
    private_send_.resize(static_cast<std::size_t>(half));
    send_ = private_send_.data();
  }
  receive_.resize(static_cast<std::size_t>(half));
}

void staging::find_peers(MPI_Comm comm) {
  MPI_Group all{}, node{};
  check(MPI_Comm_group(comm, &all), "MPI_Comm_group");
  check(MPI_Comm_group(node_comm_, &node), "MPI_Comm_group");
  int ranks = 0, here = 0;
  MPI_Group_size(all, &ranks);
  MPI_Group_size(node, &here);
  peers_.assign(static_cast<std::size_t>(ranks), nullptr);
  node_.assign(static_cast<std::size_t>(ranks), false);
  for (int i = 0; i < here; ++i) {
    int rank = 0, unit = 0;
    MPI_Aint size = 0;
    void* base = nullptr;
    check(MPI_Group_translate_ranks(node, 1, &i, all, &rank), "MPI_Group_translate_ranks");
    check(MPI_Win_shared_query(window_, i, &size, &unit, static_cast<void*>(&base)), "MPI_Win_shared_query");
    peers_[static_cast<std::size_t>(rank)] = static_cast<std::byte const*>(base);
    node_[static_cast<std::size_t>(rank)] = true;
  }
  MPI_Group_free(&all);
  MPI_Group_free(&node);
}

void staging::synchronize() {
  if (window_ != MPI_WIN_NULL) check(MPI_Win_sync(window_), "MPI_Win_sync");
}

void staging::free() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized != 0) return;
  if (window_ != MPI_WIN_NULL) {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }
  if (node_comm_ != MPI_COMM_NULL) MPI_Comm_free(&node_comm_);
}

}  // namespace tilewright::mpi
