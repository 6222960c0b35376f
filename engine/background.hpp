// One thread for work that no thread waits for. It ends before the process does: the step it is at is waited for then, what is
// left is dropped.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace tilewright::engine {

class background {
 public:
  /// A step of a job; false: it was the last. May not throw.
  using job = std::function<bool()>;

  background() = default;
  background(background const&) = delete;
  background& operator=(background const&) = delete;
  ~background() { stop(); }

  /// Starts the thread if there is none. After stop() the job is dropped, and so are all jobs if no thread can be made.
  void add(job one);

  /// Waits for the step that runs and ends the thread. May be called again.
  void stop();

  /// The process's. It is stopped when the process exits, before anything is destroyed that was made when it was asked for first.
  static background& of_process();

  /// Lets that happen before the exit of what was loaded since: for a job that has opened a library.
  static void stop_before_what_was_loaded();

 private:
  bool start();
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<job> jobs_;
  std::thread thread_;
  bool stopped_ = false;
};

}  // namespace tilewright::engine
