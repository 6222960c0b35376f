// NumPy as a peer: a child process on two pipes (numpy_child.py), which times its own copies, so that the pipes do not
// count.
#include "party.hpp"

#include "bench/support/reference.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

namespace tilewright::bench {
namespace {

/// A process with its standard input and output.
class child_process {
 public:
  child_process(std::string const& python, std::string const& script) {
    std::array<int, 2> in{}, out{};
    if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0) fail("has no pipe");
    std::signal(SIGPIPE, SIG_IGN);  // a child that has gone is noticed by write()
    pid_ = fork();
    if (pid_ < 0) fail("cannot be started");
    if (pid_ == 0) {
      dup2(in[0], STDIN_FILENO);
      dup2(out[1], STDOUT_FILENO);
      execlp(python.c_str(), python.c_str(), "-B", script.c_str(), nullptr);
      _exit(127);
    }
    close(in[0]);
    close(out[1]);
    to_ = in[1];
    from_ = out[0];
  }
  ~child_process() {
    close(to_);
    close(from_);
    waitpid(pid_, nullptr, 0);
  }
  child_process(child_process const&) = delete;
  child_process& operator=(child_process const&) = delete;

  void send(void const* data, std::size_t bytes) {
    for (auto at = static_cast<char const*>(data); bytes > 0;) {
      ssize_t const n = ::write(to_, at, bytes);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) fail("has ended");
      at += n;
      bytes -= static_cast<std::size_t>(n);
    }
  }
  void send(nlohmann::json const& request) {
    std::string const line = request.dump() + "\n";
    send(line.data(), line.size());
  }
  void receive(void* data, std::size_t bytes) {
    for (auto at = static_cast<char*>(data); bytes > 0;) {
      ssize_t const n = ::read(from_, at, bytes);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) fail("has ended");
      at += n;
      bytes -= static_cast<std::size_t>(n);
    }
  }
  std::string receive_line() {
    std::string line;
    for (char c = 0; receive(&c, 1), c != '\n';) line += c;
    return line;
  }

 private:
  [[noreturn]] void fail(char const* what) const {
    throw std::runtime_error(fmt::format("the NumPy process {}", what));
  }

  pid_t pid_ = -1;
  int to_ = -1, from_ = -1;
};

class numpy final : public party {
 public:
  numpy(std::string const& python, std::string const& script) : child_(python, script) {}

  std::string name() const override { return "numpy"; }

  std::string prepare(work const& job) override {
    job_ = job;
    std::vector<std::int64_t> extents, src, dst;
    for (mode const& m : job.all) {
      extents.push_back(m.extent);
      src.push_back(m.src);
      dst.push_back(m.dst);
    }
    child_.send({{"op", "load"},
                 {"element_bytes", job.one->element_bytes()},
                 {"extents", extents},
                 {"src_strides", src},
                 {"dst_strides", dst},
                 {"src_offset", job.one->src_offset},
                 {"dst_offset", job.one->dst_offset},
                 {"src_bytes", job.src.size()},
                 {"dst_bytes", job.dst.size()},
                 {"poison", std::to_integer<int>(poison)}});
    child_.send(job.src.data(), job.src.size());
    std::string const answer = child_.receive_line();
    return answer == "ready" ? "" : answer;
  }

  double run(int repeats) override {
    child_.send({{"op", "run"}, {"repeats", repeats}});
    return std::strtod(child_.receive_line().c_str(), nullptr);
  }

  std::optional<std::size_t> first_difference(std::span<std::byte const> want) override {
    child_.send({{"op", "dump"}});
    std::optional<std::size_t> first;
    std::vector<std::byte> part(std::size_t{1} << 20);
    for (std::size_t at = 0; at < want.size(); at += part.size()) {
      std::size_t const count = std::min(part.size(), want.size() - at);
      child_.receive(part.data(), count);
      if (first || std::memcmp(part.data(), want.data() + at, count) == 0) continue;
      auto const here = want.subspan(at, count);
      first = at + static_cast<std::size_t>(std::mismatch(here.begin(), here.end(), part.begin()).first - here.begin());
    }
    return first;
  }

  void poison_destination() override {
    child_.send({{"op", "poison"}});
    child_.receive_line();
  }

 private:
  child_process child_;
};

}  // namespace

std::unique_ptr<party> make_numpy(std::string const& python, std::string const& script) {
  return std::make_unique<numpy>(python, script);
}

}  // namespace tilewright::bench
