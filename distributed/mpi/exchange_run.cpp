#include "distributed/mpi/exchange_run.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace tilewright::mpi {

using distributed::chunk;
using distributed::chunk_limits;
using distributed::memory_side;

namespace {

constexpr int data_tag = 1, ready_tag = 2, done_tag = 3;
constexpr int max_light = 16;  // messages in flight that need no slot, on each side
constexpr std::int64_t own_bytes = std::int64_t{16} << 20;

chunk_limits limits_of_own(chunk_limits limits) {
  limits.staged_bytes = limits.direct_bytes = own_bytes;
  return limits;
}

}  // namespace

exchange_run::exchange_run(rank_plan const& plan, chunk_limits const& limits, staging& memory, memory_side const& src,
                           memory_side const& dst, element_type element, options const& how, MPI_Comm comm)
    : limits_(limits),
      own_transfers_{plan.own},
      sends_(plan.sends, limits),
      receives_(plan.receives, limits),
      own_(own_transfers_, limits_of_own(limits)),
      memory_(memory),
      copies_(limits, src, dst, element, how.threads),
      comm_(comm),
      progress_(how.progress),
      total_(distributed::bytes_of(plan.own.elements + plan.sent() + plan.received(), limits.element_bits)) {
  for (int i = memory.send_slots(); i-- > 0;) free_send_.push_back(i);
  for (int i = memory.receive_slots(); i-- > 0;) free_receive_.push_back(i);
}

std::optional<copy_error> exchange_run::run() {
  while (sends_.front() != nullptr || receives_.front() != nullptr || own_.front() != nullptr || !requests_.empty()) {
    bool moved = post_receives();
    moved |= post_sends();
    moved |= complete(false);
    if (!moved) moved = copy_own();
    if (!moved) complete(true);
  }
  return error_;
}

exchange_run::operation& exchange_run::track(std::unique_ptr<operation> op, MPI_Request request) {
  requests_.push_back(request);
  operations_.push_back(std::move(op));
  return *operations_.back();
}

// --- receiving --------------------------------------------------------------------------------------------------------

bool exchange_run::post_receives() {
  bool posted = false;
  while (chunk const* const next = receives_.front()) {
    bool const light = next->dst_direct || is_shared(*next, next->from);
    if (light ? light_receives_ == max_light : free_receive_.empty()) break;
    int slot = -1;
    if (light) ++light_receives_;
    else {
      slot = free_receive_.back();
      free_receive_.pop_back();
    }
    start_receive(receives_.take(), slot);
    posted = true;
  }
  return posted;
}

void exchange_run::start_receive(chunk c, int slot) {
  auto op = std::make_unique<operation>();
  op->what = std::move(c);
  op->slot = slot;
  chunk const& w = op->what;
  MPI_Request request = MPI_REQUEST_NULL;
  if (is_shared(w, w.from)) {
    check(MPI_Irecv(&op->word, 1, MPI_INT64_T, w.from, ready_tag, comm_, &request), "MPI_Irecv");
    op->done = [this](operation& o) { take_shared(o); };
  } else {
    std::byte* const to = slot < 0 ? copies_.destination(w.boxes[0]) : memory_.receive_slot(slot);
    check(MPI_Irecv(to, static_cast<int>(w.bytes), MPI_BYTE, w.from, data_tag, comm_, &request), "MPI_Irecv");
    op->done = [this](operation& o) {
      if (o.slot < 0) {
        --light_receives_;
        return;
      }
      attempt(o.what.bytes, [&] { copies_.unpack(o.what, memory_.receive_slot(o.slot)); });
      free_receive_.push_back(o.slot);
    };
  }
  track(std::move(op), request);
}

/// The sender's slot is full: unpacks it where it is and gives it back.
void exchange_run::take_shared(operation& op) {
  memory_.synchronize();
  attempt(op.what.bytes,
          [&] { copies_.unpack(op.what, memory_.slots_of(op.what.from) + op.word * limits_.staged_bytes); });
  memory_.synchronize();
  auto reply = std::make_unique<operation>();
  reply->word = op.word;
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Isend(&reply->word, 1, MPI_INT64_T, op.what.from, done_tag, comm_, &request), "MPI_Isend");
  reply->done = [](operation&) {};
  track(std::move(reply), request);
  --light_receives_;
}

// --- sending ----------------------------------------------------------------------------------------------------------

bool exchange_run::post_sends() {
  chunk const* const next = sends_.front();
  if (next == nullptr) return false;
  bool const light = next->src_direct && !is_shared(*next, next->to);
  if (light ? direct_sends_ == max_light : free_send_.empty()) return false;
  int slot = -1;
  if (light) ++direct_sends_;
  else {
    slot = free_send_.back();
    free_send_.pop_back();
  }
  start_send(sends_.take(), slot);
  return true;
}

void exchange_run::start_send(chunk c, int slot) {
  auto op = std::make_unique<operation>();
  op->what = std::move(c);
  op->slot = slot;
  chunk const& w = op->what;
  sent += w.bytes;
  if (slot < 0) sent_directly += w.bytes;
  else attempt(w.bytes, [&] { copies_.pack(w, memory_.send_slot(slot)); });
  MPI_Request request = MPI_REQUEST_NULL;
  int const to = w.to;
  if (is_shared(w, to)) {
    memory_.synchronize();
    op->word = slot;
    check(MPI_Isend(&op->word, 1, MPI_INT64_T, to, ready_tag, comm_, &request), "MPI_Isend");
    op->done = [](operation&) {};
    track(std::move(op), request);
    auto reply = std::make_unique<operation>();
    check(MPI_Irecv(&reply->word, 1, MPI_INT64_T, to, done_tag, comm_, &request), "MPI_Irecv");
    reply->done = [this](operation& o) { free_send_.push_back(static_cast<int>(o.word)); };
    track(std::move(reply), request);
    return;
  }
  std::byte* const from = slot < 0 ? copies_.source(w.boxes[0]) : memory_.send_slot(slot);
  check(MPI_Isend(from, static_cast<int>(w.bytes), MPI_BYTE, to, data_tag, comm_, &request), "MPI_Isend");
  op->done = [this](operation& o) {
    if (o.slot < 0) --direct_sends_;
    else free_send_.push_back(o.slot);
  };
  track(std::move(op), request);
}

// --- progress ---------------------------------------------------------------------------------------------------------

bool exchange_run::copy_own() {
  if (own_.front() == nullptr) return false;
  chunk const c = own_.take();
  attempt(c.bytes, [&] { copies_.copy_own(c); });
  return true;
}

bool exchange_run::complete(bool wait) {
  if (requests_.empty()) return false;
  int count = 0;
  std::vector<int> which(requests_.size());
  int const active = static_cast<int>(requests_.size());
  if (wait) check(MPI_Waitsome(active, requests_.data(), &count, which.data(), MPI_STATUSES_IGNORE), "MPI_Waitsome");
  else check(MPI_Testsome(active, requests_.data(), &count, which.data(), MPI_STATUSES_IGNORE), "MPI_Testsome");
  if (count <= 0) return false;
  std::sort(which.begin(), which.begin() + count);
  std::vector<std::unique_ptr<operation>> finished;
  for (int i = 0; i < count; ++i)
    finished.push_back(std::move(operations_[static_cast<std::size_t>(which[static_cast<std::size_t>(i)])]));
  std::erase(operations_, nullptr);
  std::erase(requests_, MPI_REQUEST_NULL);
  for (auto& op : finished) op->done(*op);
  return true;
}

// --- copies -----------------------------------------------------------------------------------------------------------

/// The first error is kept; nothing more is copied.
template <class Work>
void exchange_run::attempt(std::int64_t bytes, Work const& work) {
  if (error_) return;
  error_ = error_of(work);
  copied_ += bytes;
  if (!error_ && progress_ && !progress_(copied_, total_))
    error_ = copy_error(copy_errc::cancelled,
                        fmt::format("the caller cancelled the redistribution after {} of {} bytes", copied_, total_));
}

}  // namespace tilewright::mpi
