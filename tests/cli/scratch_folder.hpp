// A folder for the files of one test, and what a function throws, as text.
#pragma once

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace tilewright::test {

/// A folder that goes with its contents.
class scratch {
 public:
  scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "tilewright-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  scratch(scratch const&) = delete;
  scratch& operator=(scratch const&) = delete;
  ~scratch() { std::filesystem::remove_all(path_); }
  std::string at(std::string const& name) const { return (path_ / name).string(); }
  std::set<std::string> names() const {
    std::set<std::string> out;
    for (auto const& entry : std::filesystem::directory_iterator(path_)) out.insert(entry.path().filename().string());
    return out;
  }

 private:
  std::filesystem::path path_;
};

inline std::string contents(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write(std::string const& path, std::string const& text) { std::ofstream(path, std::ios::binary) << text; }

template <class F>
std::string sentence_of(F const& f) {
  try {
    f();
  } catch (std::exception const& e) {
    return e.what();
  }
  return "nothing was wrong";
}

}  // namespace tilewright::test
