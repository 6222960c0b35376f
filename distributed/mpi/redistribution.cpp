// What ranks agree on before and after a run.
#include "tilewright/distributed/mpi.hpp"

#include "distributed/mpi/exchange_run.hpp"
#include "tilewright/distributed/mpi_c.h"
#include "tilewright/layout/text.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstring>

namespace tilewright::mpi {
namespace {

constexpr std::int64_t min_staging = 64 << 10, largest_slot = 512 << 10, direct_chunk = std::int64_t{64} << 20;

std::uint64_t hash_of_text(std::string const& text) {
  std::uint64_t h = 14695981039346656037U;  // FNV-1a
  for (char const c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return h;
}

}  // namespace

struct redistribution::state {
  state(distributed_layout const& from, distributed_layout const& to, element_type type, options const& o)
      : src(from),
        dst(to),
        element(type),
        how(o) {}
  ~state() {
    memory.free();
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (comm != MPI_COMM_NULL && finalized == 0) MPI_Comm_free(&comm);
  }
  state(state const&) = delete;
  state& operator=(state const&) = delete;

  void open(MPI_Comm outer);
  void compare();
  void make_plan();
  /// Whether the two share memory.
  bool check_memory(void const* from, void const* to) const;

  distributed_layout src, dst;
  element_type element;
  options how;
  rank_plan plan;
  distributed::chunk_limits limits;
  staging memory;
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0, size = 1;
  std::int64_t src_bytes = 0, dst_bytes = 0, sent = 0, unpacked = 0;
};

void redistribution::state::open(MPI_Comm outer) {
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized == 0)
    throw copy_error(copy_errc::bad_option, "MPI is not initialized; call MPI_Init before redistribute");
  if (outer == MPI_COMM_NULL) throw copy_error(copy_errc::bad_option, "the communicator is MPI_COMM_NULL");
  // A communicator of our own: messages of the caller are never taken for ours.
  check(MPI_Comm_dup(outer, &comm), "MPI_Comm_dup");
  check(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
}

/// All ranks must redistribute the same: hashes of what each was asked for meet at rank 0's.
void redistribution::state::compare() {
  std::string const mine = fmt::format("{} -> {} of {}, staging {}, shared memory {}", to_text(src), to_text(dst),
                                       name_of(element), how.staging_bytes, how.shared_memory);
  std::uint64_t const hash = hash_of_text(mine);
  std::uint64_t first = hash;
  check(MPI_Bcast(&first, 1, MPI_UINT64_T, 0, comm), "MPI_Bcast");
  std::optional<copy_error> error;
  if (first != hash)
    error = copy_error(copy_errc::bad_option,
                       fmt::format("asked for {}, and rank 0 for something else; all ranks must give the same layouts, "
                                   "element and options",
                                   mine));
  agree(error, comm);
}

void redistribution::state::make_plan() {
  if (how.staging_bytes < min_staging)
    throw copy_error(copy_errc::bad_option,
                     fmt::format("staging of {} bytes is too small; give {} or more", how.staging_bytes, min_staging));
  if (how.threads < 0)
    throw copy_error(copy_errc::bad_option,
                     fmt::format("{} threads cannot run; give 0 for all or a number above it", how.threads));
  int const wanted = std::max(src.ranks, dst.ranks);
  if (wanted > size)
    throw copy_error(
        copy_errc::bad_option,
        fmt::format("the layouts have {} ranks and the communicator {}; start {} processes", wanted, size, wanted));
  limits = {bits_of(element), std::clamp(how.staging_bytes / 16, min_staging / 16, largest_slot), direct_chunk,
            src.swizzle.bits != 0, dst.swizzle.bits != 0};
  plan.rank = rank;
  if (rank < wanted) plan = plan_exchange(src, dst, rank);
  src_bytes = distributed::bytes_of(local_span(src, rank), limits.element_bits);
  dst_bytes = distributed::bytes_of(local_span(dst, rank), limits.element_bits);
}

bool redistribution::state::check_memory(void const* from, void const* to) const {
  auto const missing = [&](char const* role, std::int64_t bytes) {
    throw copy_error(copy_errc::bad_pointer,
                     fmt::format("the {} is a null pointer, and this rank has {} bytes of it", role, bytes));
  };
  if (from == nullptr && src_bytes > 0) missing("source", src_bytes);
  if (to == nullptr && dst_bytes > 0) missing("destination", dst_bytes);
  auto const a = reinterpret_cast<std::uintptr_t>(from), b = reinterpret_cast<std::uintptr_t>(to);
  bool const overlap = src_bytes > 0 && dst_bytes > 0 && a < b + static_cast<std::uintptr_t>(dst_bytes) &&
                       b < a + static_cast<std::uintptr_t>(src_bytes);
  if (overlap && how.overlap == on_overlap::refuse)
    throw copy_error(
        copy_errc::overlapping,
        fmt::format("the source at {} ({} bytes) and the destination at {} ({} bytes) share memory; give the "
                    "destination memory of its own, or the option overlap = through_temporary",
                    from, src_bytes, static_cast<void const*>(to), dst_bytes));
  return overlap;
}

redistribution::redistribution(distributed_layout const& src, distributed_layout const& dst, element_type element,
                               MPI_Comm comm, options const& how)
    : state_(std::make_unique<state>(src, dst, element, how)) {
  state& s = *state_;
  s.open(comm);
  s.compare();
  agree(error_of([&] { s.make_plan(); }), s.comm);
  bool const needed = !s.plan.sends.empty() || !s.plan.receives.empty();
  // Where one rank cannot allocate, its peers may wait inside MPI: the window is allocated before anything else.
  agree(
      error_of([&] { s.memory.allocate(s.comm, how.staging_bytes, s.limits.staged_bytes, needed, how.shared_memory); }),
      s.comm);
}

redistribution::~redistribution() = default;

void redistribution::run(void const* src, void* dst) {
  state& s = *state_;
  std::vector<std::byte> copied;  // of a source that the destination overwrites
  agree(error_of([&] {
          if (!s.check_memory(src, dst)) return;
          auto const* const first = static_cast<std::byte const*>(src);
          copied.assign(first, first + s.src_bytes);
          src = copied.data();
        }),
        s.comm);
  distributed::memory_side const from{const_cast<std::byte*>(static_cast<std::byte const*>(src)),
                                      s.src.swizzle};  // read alone
  distributed::memory_side const to{static_cast<std::byte*>(dst), s.dst.swizzle, s.dst_bytes};
  exchange_run one(s.plan, s.limits, s.memory, from, to, s.element, s.how, s.comm);
  std::optional<copy_error> const error = one.run();
  s.sent += one.sent;
  s.unpacked += one.sent_directly;
  agree(error, s.comm);
}

rank_plan const& redistribution::plan() const { return state_->plan; }
std::int64_t redistribution::staging_bytes() const { return state_->memory.bytes(); }
std::int64_t redistribution::sent_bytes() const { return state_->sent; }
std::int64_t redistribution::unpacked_bytes() const { return state_->unpacked; }

void redistribute(const_part const& src, part const& dst, element_type element, MPI_Comm comm, options const& how) {
  redistribution(src.layout, dst.layout, element, comm, how).run(src.pointer, dst.pointer);
}

}  // namespace tilewright::mpi

extern "C" int tw_mpi_redistribute(void const* src, char const* from, void* dst, char const* to, char const* element,
                                   MPI_Comm comm, char* message, size_t message_bytes) {
  using namespace tilewright;
  // A text that one rank cannot read must not leave the others waiting: each rank reads before any waits, and all agree.
  distributed_layout source, destination;
  element_type type = element_type::f32;
  auto const read = [&] {
    if (from == nullptr || to == nullptr || element == nullptr)
      throw copy_error(copy_errc::bad_option, "tw_mpi_redistribute: a layout or the element is a null pointer");
    try {
      source = parse_distributed(from);
      destination = parse_distributed(to);
    } catch (text_error const& e) {
      throw copy_error(copy_errc::bad_layout, std::string(e.what()) + "\n" + e.caret());
    }
    auto const found = element_type_named(element);
    if (!found) throw copy_error(copy_errc::bad_element, fmt::format("there is no element type '{}'", element));
    type = *found;
  };
  auto const error = error_of([&] {
    mpi::agree(error_of(read), comm);
    mpi::redistribute({src, source}, {dst, destination}, type, comm);
  });
  if (!error) return 0;
  if (message != nullptr && message_bytes > 0) {
    std::strncpy(message, error->what(), message_bytes - 1);
    message[message_bytes - 1] = '\0';
  }
  return static_cast<int>(error->code());
}
