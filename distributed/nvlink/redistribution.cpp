// What ranks agree on before, during and after a run; the transport.
#include "distributed/nvlink/nccl.hpp"
#include "distributed/nvlink/open.hpp"
#include "distributed/nvlink/peer_exchange.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstring>

namespace tilewright::nvlink {
namespace {

constexpr std::int64_t min_staging = 64 << 10;

std::uint64_t hash_of_text(std::string const& text) {
  std::uint64_t h = 14695981039346656037U;  // FNV-1a
  for (char const c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return h;
}

[[noreturn]] void refuse_half_bytes() {
  throw copy_error(copy_errc::bad_element,
                   "elements of 4 bits would begin or end within a byte, which several GPUs cannot write at once; "
                   "choose blocks of whole bytes, or redistribute over MPI");
}

/// Elements of 4 bits as bytes.
exchange_piece in_bytes(exchange_piece p) {
  bool whole = !p.loops.empty() && p.loops[0].src == 1 && p.loops[0].dst == 1 && p.loops[0].extent % 2 == 0;
  whole = whole && p.src % 2 == 0 && p.dst % 2 == 0;
  for (std::size_t k = 1; k < p.loops.size(); ++k) whole = whole && p.loops[k].src % 2 == 0 && p.loops[k].dst % 2 == 0;
  if (!whole) refuse_half_bytes();
  p.elements /= 2;
  p.src /= 2;
  p.dst /= 2;
  p.loops[0].extent /= 2;
  for (std::size_t k = 1; k < p.loops.size(); ++k) {
    p.loops[k].src /= 2;
    p.loops[k].dst /= 2;
  }
  if (p.loops[0].extent == 1) p.loops.erase(p.loops.begin());
  return p;
}

/// Where elements have 4 bits, the pieces in bytes.
void split_half_bytes(rank_plan& plan) {
  auto const change = [](transfer& t) {
    t.elements = 0;
    for (exchange_piece& p : t.pieces) {
      p = in_bytes(p);
      t.elements += p.elements;
    }
  };
  change(plan.own);
  for (auto* all : {&plan.sends, &plan.receives})
    for (transfer& t : *all) change(t);
}

}  // namespace

struct engine_redistribution::state {
  state(distributed_layout const& from, distributed_layout const& to, element_type type, group const& g,
        options const& o)
      : src(from),
        dst(to),
        element(type),
        ranks(g),
        how(o) {}

  void compare() const;
  void make_plan();
  bool can_map_peers();
  void choose(std::function<gpu::gpu_engine&()> const& open);
  void check_memory(void const* from, void const* to) const;
  void prepare_messages(void const* from, void const* to);
  gpu::stream_handle checked(void* stream) const;

  distributed_layout src, dst;
  element_type element;
  group ranks;
  options how;
  rank_plan plan;    // in elements of the caller
  rank_plan pieces;  // the same in bytes where elements have 4 bits
  piece_sides sides;
  transport used = transport::peers;
  std::int64_t src_bytes = 0, dst_bytes = 0, sent = 0;
  gpu::gpu_engine* engine = nullptr;
  std::unique_ptr<control> meetings;
  std::unique_ptr<peer_exchange> peers;
  std::unique_ptr<nccl_exchange> messages;
  std::int64_t src_alignment = 0, dst_alignment = 0;  // that the messages are prepared for
};

/// All ranks must redistribute the same.
void engine_redistribution::state::compare() const {
  std::string const mine = fmt::format("{} -> {} of {}, transport {}, staging {}", to_text(src), to_text(dst),
                                       name_of(element), static_cast<int>(how.by), how.staging_bytes);
  std::uint64_t const hash = hash_of_text(mine);
  std::optional<copy_error> error;
  if (gathered(ranks, hash)[0] != hash)
    error = copy_error(copy_errc::bad_option,
                       fmt::format("asked for {}, and rank 0 for something else; all ranks must give the same layouts, "
                                   "element and options",
                                   mine));
  agree(ranks, error);
}

void engine_redistribution::state::make_plan() {
  int const wanted = std::max(src.ranks, dst.ranks);
  if (how.staging_bytes < min_staging)
    throw copy_error(copy_errc::bad_option,
                     fmt::format("staging of {} bytes is too small; give {} or more", how.staging_bytes, min_staging));
  if (wanted > ranks.size)
    throw copy_error(
        copy_errc::bad_option,
        fmt::format("the layouts have {} ranks and the group {}; start {} processes", wanted, ranks.size, wanted));
  plan.rank = ranks.rank;
  if (ranks.rank < wanted) plan = plan_exchange(src, dst, ranks.rank);
  pieces = plan;
  int const bits = bits_of(element);
  if (bits == 4) {
    if (src.swizzle.bits != 0 || dst.swizzle.bits != 0) refuse_half_bytes();
    split_half_bytes(pieces);
  }
  sides.element_bits = std::max(bits, 8);
  sides.src_swizzle = src.swizzle;
  sides.dst_swizzle = dst.swizzle;
  sides.dst_alignment.assign(1, 16);
  src_bytes = distributed::bytes_of(local_span(src, ranks.rank), bits);
  dst_bytes = distributed::bytes_of(local_span(dst, ranks.rank), bits);
}

/// Collective. Are all ranks on this host, on devices that reach one another?
bool engine_redistribution::state::can_map_peers() {
  struct place_of_rank {
    std::uint64_t host = 0;
    std::int32_t ordinal = 0, works = 1;
  } mine{hash_of_text(host_name()), engine->device().ordinal, 1};
  std::vector<place_of_rank> const all = gathered(ranks, mine);
  bool works = std::all_of(all.begin(), all.end(), [&](auto const& r) { return r.host == mine.host; });
  mine.works = works ? 1 : 0;
  for (place_of_rank const& r : all) {
    gpu::driver_api const& api = *engine->device().api;
    int count = 0, reachable = 0;
    gpu::device_handle other = 0;
    // Devices that CUDA_VISIBLE_DEVICES hides from this process are judged when they are mapped.
    if (r.ordinal == engine->device().ordinal || api.cuDeviceGetCount(&count) != 0 || r.ordinal >= count) continue;
    if (api.cuDeviceGet(&other, r.ordinal) != 0 ||
        api.cuDeviceCanAccessPeer(&reachable, engine->device().handle, other) != 0 || reachable == 0)
      mine.works = 0;
  }
  std::vector<place_of_rank> const answers = gathered(ranks, mine);
  works = std::all_of(answers.begin(), answers.end(), [](auto const& r) { return r.works == 1; });
  return works;
}

void engine_redistribution::state::choose(std::function<gpu::gpu_engine&()> const& open) {
  agree(ranks, error_of([&] { engine = &open(); }));
  used = how.by;
  if (used != transport::nccl) {
    bool const can_map = can_map_peers();
    std::optional<copy_error> error;
    if (!can_map && used == transport::peers)
      error = copy_error(copy_errc::no_device,
                         "the ranks' GPUs cannot map each other's memory: they are on several "
                         "hosts, or have no peer access; give transport::nccl");
    agree(ranks, error);
    used = can_map ? transport::peers : transport::nccl;
  }
  if (used == transport::peers) {
    meetings = std::make_unique<control>(ranks, how.timeout_seconds);
    peers = std::make_unique<peer_exchange>(*engine, ranks, *meetings, pieces, sides);
  } else messages = std::make_unique<nccl_exchange>(*engine, ranks);
}

void engine_redistribution::state::check_memory(void const* from, void const* to) const {
  auto const check_one = [&](char const* role, void const* pointer, std::int64_t bytes) {
    if (bytes == 0) return;
    if (pointer == nullptr)
      throw copy_error(copy_errc::bad_pointer,
                       fmt::format("the {} is a null pointer, and this rank has {} bytes of it", role, bytes));
    auto const item = static_cast<std::uintptr_t>(sides.element_bits / 8);
    if (reinterpret_cast<std::uintptr_t>(pointer) % item != 0)
      throw copy_error(copy_errc::bad_pointer,
                       fmt::format("the {} at {} is not a multiple of the {} bytes of an element of {}, which a GPU's "
                                   "loads and stores need; let it start at an element",
                                   role, pointer, item, name_of(element)));
    gpu::pointer_facts const facts = gpu::facts_of(engine->device(), pointer);
    gpu::check_reachable(engine->device(), facts, pointer, role);
  };
  check_one("source", from, src_bytes);
  check_one("destination", to, dst_bytes);
  auto const a = reinterpret_cast<std::uintptr_t>(from), b = reinterpret_cast<std::uintptr_t>(to);
  if (src_bytes > 0 && dst_bytes > 0 && a < b + static_cast<std::uintptr_t>(dst_bytes) &&
      b < a + static_cast<std::uintptr_t>(src_bytes))
    throw copy_error(copy_errc::overlapping,
                     fmt::format("the source at {} ({} bytes) and the destination at {} ({} bytes) share memory; give "
                                 "the destination memory of its own",
                                 from, src_bytes, to, dst_bytes));
}

void engine_redistribution::state::prepare_messages(void const* from, void const* to) {
  std::int64_t const a = alignment_of(from), b = alignment_of(to);
  if (a == src_alignment && b == dst_alignment) return;
  sides.src_alignment = src_alignment = a;
  sides.dst_alignment = {dst_alignment = b};
  messages->prepare(pieces, sides, how.staging_bytes);
}

gpu::stream_handle engine_redistribution::state::checked(void* stream) const {
  auto const in = static_cast<gpu::stream_handle>(stream);
  if (gpu::is_default(in)) return in;
  gpu::gpu_device const& device = engine->device();
  gpu::context_handle context = nullptr;
  gpu::check(*device.api, device.api->cuStreamGetCtx(in, &context), "cuStreamGetCtx", "redistribute");
  if (context != device.primary)
    throw copy_error(
        copy_errc::bad_option,
        fmt::format("the stream belongs to another device, or context, than the primary one of CUDA device "
                    "{}, which this rank uses; give a stream of it",
                    device.ordinal));
  return in;
}

engine_redistribution::engine_redistribution(distributed_layout const& src, distributed_layout const& dst,
                                             element_type element, group const& ranks,
                                             std::function<gpu::gpu_engine&()> const& engine, options const& how,
                                             piece_limits const& limits)
    : state_(std::make_unique<state>(src, dst, element, ranks, how)) {
  if (ranks.size < 1 || ranks.rank < 0 || ranks.rank >= ranks.size || (ranks.size > 1 && !ranks.all_gather))
    throw copy_error(copy_errc::bad_option,
                     fmt::format("rank {} of a group of {} without a way to gather is no group of ranks; see "
                                 "nvlink::group",
                                 ranks.rank, ranks.size));
  state_->sides.limits = limits;
  state_->compare();
  agree(ranks, error_of([&] { state_->make_plan(); }));
  state_->choose(engine);
}

engine_redistribution::~engine_redistribution() = default;

void engine_redistribution::run(void const* src, void* dst, void* stream, std::string const* refusal) {
  state& s = *state_;
  gpu::gpu_device const& device = s.engine->device();
  gpu::current_context const scope(*device.api, device.primary);
  gpu::stream_handle in = nullptr;
  if (s.peers) s.peers->begin_run();
  std::optional<copy_error> error = error_of([&] {
    if (refusal != nullptr) throw copy_error(copy_errc::bad_option, *refusal);
    in = s.checked(stream);
    s.check_memory(src, dst);
    if (s.peers) s.peers->publish_target(s.dst_bytes == 0 ? nullptr : dst, in);
    else s.prepare_messages(src, dst);
  });
  if (s.peers) {
    error = s.meetings->meet(meeting::ready, error);
    std::optional<copy_error> later;
    if (!error) later = error_of([&] { s.peers->start(src, dst, in); });
    later = s.meetings->meet(meeting::done, later);
    if (error || later) {
      s.peers->give_up();
      throw error ? *error : *later;
    }
    s.peers->finish(in);
  } else {
    agree(s.ranks, error);
    agree(s.ranks, error_of([&] { s.messages->start(src, dst, in); }));
  }
  s.sent += distributed::bytes_of(s.plan.sent(), bits_of(s.element));
  if (stream != nullptr) return;
  if (s.peers) s.peers->synchronize(in);
  else gpu::check(*device.api, device.api->cuStreamSynchronize(in), "cuStreamSynchronize", "redistribute");
}

// --- on the process's devices -----------------------------------------------------------------------------------------

struct redistribution::state {
  engine_redistribution on_engine;
};

redistribution::redistribution(distributed_layout const& src, distributed_layout const& dst, element_type element,
                               group const& ranks, int ordinal, options const& how)
    : state_(new state{
          {src, dst, element, ranks, [ordinal]() -> gpu::gpu_engine& { return gpu::engine_of(ordinal); }, how}}) {}

redistribution::~redistribution() = default;

void redistribution::run(void const* src, void* dst, void* stream) { state_->on_engine.run(src, dst, stream); }
void redistribution::refuse(std::string const& sentence) {
  state_->on_engine.run(nullptr, nullptr, nullptr, &sentence);
}
rank_plan const& redistribution::plan() const { return state_->on_engine.facts().plan; }
transport redistribution::used() const { return state_->on_engine.facts().used; }
std::int64_t redistribution::sent_bytes() const { return state_->on_engine.facts().sent; }
std::int64_t redistribution::staging_bytes() const {
  auto const& messages = state_->on_engine.facts().messages;
  return messages ? messages->staging_bytes() : 0;
}
std::int64_t redistribution::table_bytes() const {
  auto const& facts = state_->on_engine.facts();
  return facts.peers ? facts.peers->table_bytes() : facts.messages->table_bytes();
}

void redistribute(const_part const& src, part const& dst, element_type element, group const& ranks, int ordinal,
                  void* stream, options const& how) {
  {
    redistribution job(src.layout, dst.layout, element, ranks, ordinal, how);
    job.run(src.pointer, dst.pointer, stream);
    if (stream != nullptr) {
      gpu::gpu_device const& device = gpu::device_of(ordinal);
      gpu::current_context const scope(*device.api, device.primary);
      gpu::check(*device.api, device.api->cuStreamSynchronize(static_cast<gpu::stream_handle>(stream)),
                 "cuStreamSynchronize", "redistribute");
    }
  }
  agree(ranks, {});  // all ranks have unmapped the destination
}

}  // namespace tilewright::nvlink
