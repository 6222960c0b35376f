#include "measure.hpp"

#include "bench/support/reference.hpp"
#include "tilewright/engine/copy.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>

namespace tilewright::bench {
namespace {

constexpr std::int64_t small_bytes = 1 << 20;  // of a tensor whose call is worth taking apart

/// Of the element `offset` elements after that of coordinate (0, 0, ...).
std::string coordinates_of(std::int64_t offset, modes const& all) {
  modes order = all;
  std::vector<std::int64_t> at(all.size());
  // Dense or padded, the largest stride that fits comes first.
  std::vector<std::size_t> by_stride(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) by_stride[i] = i;
  auto const step = [&](std::size_t i) { return std::abs(all[i].dst); };
  std::sort(by_stride.begin(), by_stride.end(), [&](std::size_t a, std::size_t b) { return step(a) > step(b); });
  // From the lowest element on, where the coordinates of modes that run backwards are the last.
  for (mode const& m : all) offset -= std::min<std::int64_t>(0, (m.extent - 1) * m.dst);
  for (std::size_t const i : by_stride) {
    at[i] = std::min(offset / step(i), all[i].extent - 1);
    offset -= at[i] * step(i);
    if (all[i].dst < 0) at[i] = all[i].extent - 1 - at[i];
  }
  std::string text;
  for (std::int64_t const x : at) text += fmt::format("{}{}", text.empty() ? "(" : ",", x);
  return text.empty() ? "()" : text + ")";
}

std::size_t bytes_of(std::int64_t elements, permute_case const& one) {
  return static_cast<std::size_t>(elements * one.element_bytes());
}

}  // namespace

two_timings alternate(party& own, party& other, limits const& limit) {
  auto const timed = [](party& one) { return [&one](int repeats) { return one.run(repeats); }; };
  return alternate(timed(own), timed(other), round_limits{limit.rounds, limit.seconds});
}

std::string complaint_about(party& one, work const& job, std::span<std::byte const> want) {
  one.poison_destination();
  one.run(1);
  auto const at = one.first_difference(want);
  if (!at) return {};
  auto const element = static_cast<std::int64_t>(*at) / job.one->element_bytes() - job.one->dst_offset;
  return fmt::format("{} {} {}: the element at {} is wrong after a copy by {}, first at byte {} of {}.", job.one->suite,
                     job.one->name, name_of(job.one->element), coordinates_of(element, job.all), one.name(), *at,
                     want.size());
}

bench::bench(int threads, limits const& limit, std::string const& python, std::string const& numpy_script)
    : limit_(limit),
      threads_(threads),
      own_(make_library()),
      plan_(make_library_plan()),
      memcpy_(make_memcpy()),
      streaming_(make_streaming()) {
  peers_.push_back(make_naive());
  peers_.push_back(make_eigen());
  peers_.push_back(make_eigen_matrix());
  peers_.push_back(make_onednn());
  peers_.push_back(make_fftw());
  if (!python.empty()) peers_.push_back(make_numpy(python, numpy_script));
  std::erase(peers_, nullptr);
}

void bench::keep_peers(std::vector<std::string> const& names) {
  std::erase_if(peers_, [&](auto const& peer) { return std::ranges::find(names, peer->name()) == names.end(); });
}

std::vector<std::string> bench::peers() const {
  std::vector<std::string> names;
  for (auto const& peer : peers_) names.push_back(peer->name());
  return names;
}

void bench::fill_memory(work& job) {
  permute_case const& one = *job.one;
  src_.resize(bytes_of(one.src_elements, one));
  dst_.resize(bytes_of(one.dst_elements, one));
  want_.resize(dst_.size());
  job.src = src_.bytes();
  job.dst = dst_.bytes();
  fill_source(src_.bytes(), one.element_bytes());
  want_.fill(poison);
  copy_by_coordinate(job.all, one.element_bytes(), job.src_start(), want_.data() + (job.dst_start() - job.dst.data()));
  std::size_t const copied = bytes_of(elements_of(job.all), one);
  if (copied > src_.size()) {
    copied_.resize(copied);
    copied_.fill(poison);
  }
  job.same_bytes = copied > src_.size() ? copied_.bytes() : src_.bytes().first(copied);
}

nlohmann::json bench::row_of(permute_case const& one) {
  work job{.one = &one, .all = modes_of(one), .src = {}, .dst = {}, .same_bytes = {}, .threads = &threads_};
  fill_memory(job);
  nlohmann::json row{{"suite", one.suite},
                     {"case", one.name},
                     {"element", name_of(one.element)},
                     {"src", one.src_text},
                     {"dst", one.dst_text},
                     {"bytes", 2 * bytes_of(elements_of(job.all), one)},
                     {"peers", nlohmann::json::object()},
                     {"checked", nlohmann::json::array()},
                     {"wrong", nlohmann::json::array()}};
  auto const check = [&](party& checked) {
    std::string const complaint = complaint_about(checked, job, want_.bytes());
    row["checked"].push_back(checked.name());
    if (!complaint.empty()) row["wrong"].push_back(complaint);
    return complaint.empty();
  };
  try {
    own_->prepare(job);
    if (!check(*own_)) return row;
    auto const began = std::chrono::steady_clock::now();
    plan_->prepare(job);
    row["plan_seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    const_tensor_view const src{job.src_start(), composed(one.src), one.element, cpu};
    tensor_view const dst{job.dst_start(), composed(one.dst), one.element, cpu};
    copy_options options;
    options.threads = threads_.threads();
    row["path"] = name_of(plan_for(src, dst, options).path);
    if (!check(*plan_)) return row;
  } catch (copy_error const& e) {
    row["wrong"].push_back(fmt::format("{} {}: the library refuses: {}", one.suite, one.name, e.what()));
    return row;
  }
  memcpy_->prepare(job);
  streaming_->prepare(job);
  if (one.roof_bytes > 0) row["roof_bytes"] = one.roof_bytes;
  std::vector<party*> ready;
  for (auto const& peer : peers_) {
    std::string reason;
    try {
      reason = peer->prepare(job);
      if (reason.empty() && check(*peer)) ready.push_back(peer.get());
    } catch (std::exception const& e) {  // whatever a peer stumbles over is a reason not to take part
      reason = e.what();
    }
    if (!reason.empty()) row["peers"][peer->name()] = {{"absent", reason}};
  }
  if (!limit_.only_check) measure_into(row, ready);
  return row;
}

void bench::measure_into(nlohmann::json& row, std::vector<party*> const& ready) {
  // The library's first four copies of a large tensor at most try plans, of which the check was one.
  constexpr int more_tries = 3;
  if (row["bytes"].get<std::int64_t>() > 2 * small_bytes) row["trial_seconds"] = own_->run(more_tries) / more_tries;
  two_timings const with_memcpy = alternate(*own_, *memcpy_, limit_);
  row["seconds"] = with_memcpy.own.median;
  row["min_seconds"] = with_memcpy.own.fastest;
  row["memcpy_seconds"] = with_memcpy.other.median;
  row["memcpy_min_seconds"] = with_memcpy.other.fastest;
  row["share"] = with_memcpy.other.median / with_memcpy.own.median;
  // Next to peers the library need not run for long: they are not as close to it as memcpy is.
  limits const next_to_peers{.rounds = limit_.rounds, .seconds = limit_.seconds / 6, .only_check = false};
  auto const bytes = row["bytes"].get<std::int64_t>();
  if (bytes <= 2 * small_bytes) row["run_seconds"] = alternate(*plan_, *own_, next_to_peers).own.median;
  if (auto const touched = row.find("roof_bytes"); touched != row.end()) {
    double fastest = with_memcpy.other.median;
    if (bytes > 2 * small_bytes) {  // a small tensor stays in the caches
      streaming_->run(1);
      two_timings const both = alternate(*own_, *streaming_, next_to_peers);
      row["streaming_seconds"] = both.other.median;
      fastest = std::min(fastest, both.other.median * with_memcpy.own.median / both.own.median);
    }
    row["roof_share"] = fastest / with_memcpy.own.median * touched->get<double>() / static_cast<double>(bytes);
  }
  for (party* const peer : ready) {
    two_timings const both = alternate(*own_, *peer, next_to_peers);
    row["peers"][peer->name()] = {{"seconds", both.other.median},
                                  {"min_seconds", both.other.fastest},
                                  {"ratio", both.other.median / both.own.median}};
  }
}

}  // namespace tilewright::bench
