#include "distributed/nvlink/nccl.hpp"

#include <dlfcn.h>

#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include <utility>

namespace tilewright::nvlink {
namespace {

using distributed::box;
using distributed::chunk;

constexpr int nccl_bytes = 1;  // ncclUint8

void require(int code, char const* call) {
  if (code != 0)
    throw copy_error(copy_errc::device_failed, fmt::format("redistribute over NCCL: {} failed with {}", call,
                                                           the_nccl().ncclGetErrorString(code)));
}

nccl_api open_nccl() {
  char const* const name = "libnccl.so.2";
  void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw copy_error(
        copy_errc::no_device,
        fmt::format("the peers cannot be mapped, and NCCL's library {} cannot be opened ({}); install NCCL, "
                    "or let its folder be in LD_LIBRARY_PATH",
                    name, dlerror()));
  nccl_api api;
  auto const find = [&](auto& function, char const* symbol) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol));
    if (function == nullptr)
      throw copy_error(copy_errc::no_device, fmt::format("{} has no {}; install NCCL 2.7 or later", name, symbol));
  };
  find(api.ncclGetUniqueId, "ncclGetUniqueId");
  find(api.ncclCommInitRank, "ncclCommInitRank");
  find(api.ncclCommDestroy, "ncclCommDestroy");
  find(api.ncclCommAbort, "ncclCommAbort");
  find(api.ncclSend, "ncclSend");
  find(api.ncclRecv, "ncclRecv");
  find(api.ncclGroupStart, "ncclGroupStart");
  find(api.ncclGroupEnd, "ncclGroupEnd");
  find(api.ncclGetErrorString, "ncclGetErrorString");
  return api;
}

}  // namespace

nccl_api const& the_nccl() {
  static nccl_api const api = open_nccl();
  return api;
}

nccl_exchange::nccl_exchange(gpu::gpu_engine& engine, group const& ranks)
    : engine_(engine),
      rank_(ranks.rank),
      size_(ranks.size) {
  nccl_id id{};
  agree(ranks, error_of([&] {
          nccl_api const& api = the_nccl();
          if (rank_ == 0) require(api.ncclGetUniqueId(&id), "ncclGetUniqueId");
        }));
  id = gathered(ranks, id)[0];
  agree(ranks, error_of([&] {
          gpu::current_context const scope(*engine.device().api, engine.device().primary);
          require(the_nccl().ncclCommInitRank(&comm_, size_, id, rank_), "ncclCommInitRank");
        }));
}

nccl_exchange::~nccl_exchange() {
  if (comm_ == nullptr) return;
  try {
    gpu::current_context const scope(*engine_.device().api, engine_.device().primary);
    the_nccl().ncclCommDestroy(comm_);
  } catch (copy_error const&) {
    // The context is lost, and the communicator with it.
  }
}

nccl_exchange::message nccl_exchange::message_of(chunk const& c, bool sends, piece_sides const& sides) {
  message out;
  out.peer = sends ? c.to : c.from;
  out.bytes = c.bytes;
  std::int64_t const item = sides.element_bits / 8;
  if (sends ? c.src_direct : c.dst_direct) {
    out.direct = (sends ? c.boxes[0].src : c.boxes[0].dst) * item;
    return out;
  }
  std::int64_t round = 0;  // elements of all boxes
  for (box const& b : c.boxes) round += b.elements;
  std::vector<target_piece> pieces;
  std::int64_t at = 0;
  for (box const& b : c.boxes) {
    exchange_piece p{b.elements * c.rounds, sends ? b.src : at, sends ? at : b.dst, {}};
    std::int64_t packed = 1;
    for (loop const& l : b.loops) {
      p.loops.push_back({l.extent, sends ? l.src : packed, sends ? packed : l.dst});
      packed *= l.extent;
    }
    if (c.rounds > 1) p.loops.push_back({c.rounds, sends ? c.src_step : round, sends ? round : c.dst_step});
    std::stable_sort(p.loops.begin(), p.loops.end(), [](loop const& a, loop const& b2) { return a.dst < b2.dst; });
    pieces.push_back({0, std::move(p)});
    at += b.elements;
  }
  piece_sides one = sides;
  (sends ? one.dst_swizzle : one.src_swizzle) = {};
  if (sends) one.dst_alignment = {16};
  else one.src_alignment = 16;
  one.own_target = 0;
  out.copies = std::make_unique<piece_copies>(engine_, pieces, one);
  table_bytes_ += out.copies->table_bytes();
  return out;
}

void nccl_exchange::prepare(rank_plan const& plan, piece_sides const& sides, std::int64_t staging_bytes) {
  steps_.clear();
  table_bytes_ = 0;
  std::int64_t const half = staging_bytes / 2 / 256 * 256;
  distributed::chunk_limits const limits{sides.element_bits, half, half, sides.src_swizzle.bits != 0,
                                         sides.dst_swizzle.bits != 0};
  // The messages of each step, by the distance to the receiver, which both of its ranks count alike.
  std::vector<std::vector<chunk>> sends(static_cast<std::size_t>(size_)), receives = sends;
  for (transfer const& t : plan.sends) sends[static_cast<std::size_t>((t.to - rank_ + size_) % size_)] = cut(t, limits);
  for (transfer const& t : plan.receives)
    receives[static_cast<std::size_t>((rank_ - t.from + size_) % size_)] = cut(t, limits);
  bool packs = false;
  for (std::size_t k = 1; k < sends.size(); ++k)
    for (std::size_t i = 0; i < std::max(sends[k].size(), receives[k].size()); ++i) {
      step& s = steps_.emplace_back();
      if (i < sends[k].size()) s.out = message_of(sends[k][i], true, sides);
      if (i < receives[k].size()) s.in = message_of(receives[k][i], false, sides);
      packs = packs || s.out.copies || s.in.copies;
    }
  std::vector<target_piece> own;
  for (exchange_piece const& p : plan.own.pieces) own.push_back({0, p});
  piece_sides one = sides;
  one.own_target = 0;
  own_ = std::make_unique<piece_copies>(engine_, own, one);
  table_bytes_ += own_->table_bytes();
  if (packs && staging_.bytes() == 0)
    staging_ = gpu::device_memory(engine_.device(), static_cast<std::size_t>(2 * half));
  if (!team_) team_ = std::make_unique<stream_team>(engine_.device(), 2);
}

void nccl_exchange::start(void const* src, void* dst, gpu::stream_handle stream) {
  nccl_api const& api = the_nccl();
  auto* const out = static_cast<std::byte*>(staging_.data());
  std::byte* const in = out + staging_.bytes() / 2;
  own_->start(src, {dst}, *team_, stream);
  for (step const& s : steps_) {
    if (s.out.copies) s.out.copies->start(src, {out}, *team_, stream);
    require(api.ncclGroupStart(), "ncclGroupStart");
    if (s.out.peer >= 0)
      require(api.ncclSend(s.out.copies ? out : static_cast<std::byte const*>(src) + s.out.direct,
                           static_cast<std::size_t>(s.out.bytes), nccl_bytes, s.out.peer, comm_, stream),
              "ncclSend");
    if (s.in.peer >= 0)
      require(api.ncclRecv(s.in.copies ? in : static_cast<std::byte*>(dst) + s.in.direct,
                           static_cast<std::size_t>(s.in.bytes), nccl_bytes, s.in.peer, comm_, stream),
              "ncclRecv");
    require(api.ncclGroupEnd(), "ncclGroupEnd");
    if (s.in.copies) s.in.copies->start(in, {dst}, *team_, stream);
  }
}

}  // namespace tilewright::nvlink
