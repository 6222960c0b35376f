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

std::string coordinates_of(std::int64_t offset, modes const& all) {
  modes order = all;
  std::vector<std::int64_t> at(all.size());
  // Dense or padded, the largest stride that fits comes first.
  std::vector<std::size_t> by_stride(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) by_stride[i] = i;
  std::sort(by_stride.begin(), by_stride.end(), [&](std::size_t a, std::size_t b) { return all[a].dst > all[b].dst; });
  for (std::size_t const i : by_stride) {
    at[i] = std::min(offset / all[i].dst, all[i].extent - 1);
    offset -= at[i] * all[i].dst;
  }
  std::string text;
  for (std::int64_t const x : at) text += fmt::format("{}{}", text.empty() ? "(" : ",", x);
  return text.empty() ? "()" : text + ")";
}

std::size_t bytes_of(std::int64_t elements, permute_case const& one) {
  return static_cast<std::size_t>(elements * one.element_bytes());
}

}  // namespace

turns take_turns(party& own, party& other, limits const& limit) {
  auto const timed = [](party& one) { return [&one](int repeats) { return one.run(repeats); }; };
  return take_turns(timed(own), timed(other), turn_limits{limit.turns, limit.seconds});
}

std::string complaint_about(party& one, work const& job, std::span<std::byte const> want) {
  one.poison_destination();
  one.run(1);
  auto const at = one.first_difference(want);
  if (!at) return {};
  auto const element = static_cast<std::int64_t>(*at) / job.one->element_bytes();
  return fmt::format("{} {} {}: the element at {} is wrong after a copy by {}, first at byte {} of {}.", job.one->suite,
                     job.one->name, name_of(job.one->element), coordinates_of(element, job.all), one.name(), *at,
                     want.size());
}

bench::bench(int threads, limits const& limit, std::string const& python, std::string const& numpy_script)
    : limit_(limit),
      threads_(threads),
      own_(make_library()),
      plan_(make_library_plan()),
      memcpy_(make_memcpy()) {
  peers_.push_back(make_naive());
  peers_.push_back(make_eigen());
  peers_.push_back(make_eigen_matrix());
  peers_.push_back(make_onednn());
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

nlohmann::json bench::row_of(permute_case const& one) {
  work job{.one = &one, .all = modes_of(one), .src = {}, .dst = {}, .threads = &threads_};
  src_.resize(bytes_of(src_span(job.all), one));
  dst_.resize(bytes_of(dst_span(job.all), one));
  want_.resize(dst_.size());
  job.src = src_.bytes();
  job.dst = dst_.bytes();
  fill_source(src_.bytes(), one.element_bytes());
  want_.fill(poison);
  copy_by_coordinate(job.all, one.element_bytes(), src_.data(), want_.data());

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
    const_tensor_view const src{job.src.data(), composed(one.src), one.element, cpu};
    tensor_view const dst{job.dst.data(), composed(one.dst), one.element, cpu};
    copy_options options;
    options.threads = threads_.threads();
    row["path"] = name_of(plan_for(src, dst, options).path);
    if (!check(*plan_)) return row;
  } catch (copy_error const& e) {
    row["wrong"].push_back(fmt::format("{} {}: the library refuses: {}", one.suite, one.name, e.what()));
    return row;
  }
  memcpy_->prepare(job);
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
  turns const with_memcpy = take_turns(*own_, *memcpy_, limit_);
  row["seconds"] = with_memcpy.own.median;
  row["min_seconds"] = with_memcpy.own.fastest;
  row["memcpy_seconds"] = with_memcpy.other.median;
  row["memcpy_min_seconds"] = with_memcpy.other.fastest;
  row["share"] = with_memcpy.other.median / with_memcpy.own.median;
  // Next to peers the library need not run for long: they are not as close to it as memcpy is.
  limits const next_to_peers{.turns = limit_.turns, .seconds = limit_.seconds / 6, .only_check = false};
  if (row["bytes"].get<std::int64_t>() <= 2 * small_bytes)
    row["run_seconds"] = take_turns(*plan_, *own_, next_to_peers).own.median;
  for (party* const peer : ready) {
    turns const both = take_turns(*own_, *peer, next_to_peers);
    row["peers"][peer->name()] = {{"seconds", both.other.median},
                                  {"min_seconds", both.other.fastest},
                                  {"ratio", both.other.median / both.own.median}};
  }
}

}  // namespace tilewright::bench
