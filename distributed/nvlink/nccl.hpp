// NVIDIA's NCCL, libnccl.so.2, opened at run time, and redistributions as packed messages of it.
#pragma once

#include "distributed/chunk.hpp"
#include "distributed/nvlink/control.hpp"
#include "distributed/nvlink/piece_copies.hpp"

#include <memory>
#include <vector>

namespace tilewright::nvlink {

using nccl_communicator = struct nccl_tag*;
struct nccl_id {
  char bytes[128];
};

/// The functions of NCCL that this library calls; all but the last return 0 for success.
struct nccl_api {
  int (*ncclGetUniqueId)(nccl_id*) = nullptr;
  int (*ncclCommInitRank)(nccl_communicator*, int ranks, nccl_id, int rank) = nullptr;
  int (*ncclCommDestroy)(nccl_communicator) = nullptr;
  int (*ncclCommAbort)(nccl_communicator) = nullptr;
  int (*ncclSend)(void const*, std::size_t count, int type, int peer, nccl_communicator, gpu::stream_handle) = nullptr;
  int (*ncclRecv)(void*, std::size_t count, int type, int peer, nccl_communicator, gpu::stream_handle) = nullptr;
  int (*ncclGroupStart)() = nullptr;
  int (*ncclGroupEnd)() = nullptr;
  char const* (*ncclGetErrorString)(int) = nullptr;
};

/// error: copy_error no_device where the library cannot be opened
nccl_api const& the_nccl();

/// One redistribution: in step k each rank packs for rank + k and unpacks from rank - k, a message of bounded size at a time.
class nccl_exchange {
 public:
  /// Collective.
  nccl_exchange(gpu::gpu_engine& engine, group const& ranks);
  ~nccl_exchange();
  nccl_exchange(nccl_exchange const&) = delete;
  nccl_exchange& operator=(nccl_exchange const&) = delete;

  /// Not collective. error: as piece_copies
  void prepare(rank_plan const& plan, piece_sides const& sides, std::int64_t staging_bytes);
  void start(void const* src, void* dst, gpu::stream_handle stream);
  std::int64_t staging_bytes() const { return static_cast<std::int64_t>(staging_.bytes()); }
  std::int64_t table_bytes() const { return table_bytes_; }

 private:
  /// One message each way; without copies where it is contiguous in the tensor.
  struct message {
    int peer = -1;
    std::int64_t bytes = 0, direct = -1;  // byte of the tensor
    std::unique_ptr<piece_copies> copies;
  };
  struct step {
    message out, in;
  };
  message message_of(distributed::chunk const& c, bool sends, piece_sides const& sides);

  gpu::gpu_engine& engine_;
  int rank_, size_;
  nccl_communicator comm_ = nullptr;
  std::vector<step> steps_;
  std::unique_ptr<piece_copies> own_;
  std::unique_ptr<stream_team> team_;
  gpu::device_memory staging_;  // a half for each direction
  std::int64_t table_bytes_ = 0;
};

}  // namespace tilewright::nvlink
