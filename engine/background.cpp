#include "engine/background.hpp"

#include <csignal>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace tilewright::engine {

void background::add(job one) {
  std::lock_guard const lock(mutex_);
  if (stopped_) return;
  jobs_.push_back(std::move(one));
  if (!thread_.joinable() && !start()) jobs_.clear();
  changed_.notify_one();
}

/// Signals are for the threads of the program, so this one takes none.
bool background::start() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = std::thread([this] { work(); });
  } catch (std::system_error const&) {  // the system has no more threads
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread_.joinable();
}

void background::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stopped_ || !jobs_.empty(); });
    if (stopped_) return;
    job one = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    bool const goes_on = one();
    lock.lock();
    if (goes_on) jobs_.push_back(std::move(one));  // jobs take turns
  }
}

void background::stop() {
  std::thread ended;
  {
    std::lock_guard const lock(mutex_);
    stopped_ = true;
    jobs_.clear();
    ended = std::exchange(thread_, {});
    changed_.notify_all();
  }
  if (ended.joinable()) ended.join();
}

background& background::of_process() {
  // Never destroyed: a copy that another thread makes while the process exits may still ask for it.
  static auto& one = *new background;
  [[maybe_unused]] static bool const is_registered = (stop_before_what_was_loaded(), true);
  return one;
}

void background::stop_before_what_was_loaded() {
  std::atexit([] { of_process().stop(); });
}

}  // namespace tilewright::engine
