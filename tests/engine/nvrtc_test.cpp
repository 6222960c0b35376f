// The run-time compiler and the headers inside the binary. What needs a libnvrtc is skipped where there is none.
#include "engine/cuda/nvrtc.hpp"
#include "engine/cuda/compiler.hpp"
#include "engine/cuda/embedded_headers.hpp"
#include "tilewright/plan/copy_error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>

using namespace tilewright;
using namespace tilewright::gpu;
namespace fs = std::filesystem;

namespace {

template <class F>
std::string sentence_of(F&& f) {
  try {
    f();
  } catch (copy_error const& error) {
    return error.code() == copy_errc::device_failed ? error.what() : "another code";
  }
  return "";
}
bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

std::string read(fs::path const& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::unique_ptr<nvrtc const> installed() {
  ::unsetenv("TILEWRIGHT_NVRTC");
  return find_nvrtc(13999);
}
constexpr char const* why_skipped = "libnvrtc is not installed";

TEST(embedded_headers, are_the_headers) {
  fs::path const root = fs::path(TILEWRIGHT_TEST_DATA_DIR).parent_path().parent_path();
  std::map<std::string, std::string> texts;
  for (auto const& header : embedded_headers()) texts[header.name] = header.text;
  EXPECT_EQ(texts.size(), embedded_headers().size());
  for (auto const& [name, text] : texts)  // headers of the library, bodies of kernels
    EXPECT_TRUE(text == read((name.starts_with("engine/") ? root : root / "include") / name)) << name;
  for (char const* const name : {"tilewright/tilewright.hpp", "tilewright/base/error_list.def",
                                 "tilewright/exec/cuda/block.hpp", "engine/kernels/cuda/tile/body.hpp"})
    EXPECT_TRUE(texts.contains(name)) << name;
  // Whatever one of them includes of the library is among them.
  std::string const inclusion = "\n#include \"";
  for (auto const& [name, text] : texts) {
    for (auto at = text.find(inclusion); at != std::string::npos; at = text.find(inclusion, at + 1)) {
      auto const begin = at + inclusion.size();
      auto const included = text.substr(begin, text.find('"', begin) - begin);
      EXPECT_TRUE(texts.contains(included)) << name << " includes " << included;
    }
  }
  EXPECT_EQ(std::string(embedded_headers_digest()).size(), 64u);
}

TEST(embedded_headers, the_precompiled_kernel_is_there) {
  std::string const ptx = embedded_generic_kernel();
  for (char const* const bits : {"4", "8", "16", "32", "64", "128"})
    for (char const* const index : {"32", "64"})
      EXPECT_TRUE(has(ptx, std::string(".visible .entry tilewright_copy_") + bits + "_" + index + "("))
          << bits << index;
  EXPECT_TRUE(has(embedded_kernel_for_few_bytes(), ".visible .entry tilewright_few_bytes("));
}

TEST(nvrtc, a_library_that_is_none_is_named) {
  EXPECT_TRUE(has(sentence_of([] { nvrtc("libnvrtc_that_is_not_there.so"); }), "cannot be opened"));
  EXPECT_TRUE(has(sentence_of([] { nvrtc("libm.so.6"); }), "libm.so.6 has no nvrtcVersion, so it is not libnvrtc"));
}

TEST(nvrtc, the_environment_decides) {
  ::setenv("TILEWRIGHT_NVRTC", "none", 1);
  EXPECT_EQ(find_nvrtc(13000), nullptr);
  ::setenv("TILEWRIGHT_NVRTC", "/no/such/libnvrtc.so", 1);
  EXPECT_TRUE(has(sentence_of([] { find_nvrtc(13000); }), "/no/such/libnvrtc.so cannot be opened"));
}

TEST(nvrtc, candidates_are_no_newer_than_the_driver) {
  auto const names = nvrtc_candidates(12);
  ASSERT_FALSE(names.empty());
  EXPECT_EQ(names.front(), "libnvrtc.so.12");
  for (auto const& name : names) EXPECT_TRUE(name.ends_with("libnvrtc.so.12")) << name;
  EXPECT_EQ(nvrtc_candidates(14).front(), "libnvrtc.so.13");
  EXPECT_TRUE(nvrtc_candidates(11).empty());
}

TEST(nvrtc, devices_get_their_own_code_or_the_nearest_older) {
  compiler_facts const facts{"libnvrtc.so.13", 13, 0, {75, 80, 90, 100, 120}};
  EXPECT_EQ(architecture_option(facts, 90), "--gpu-architecture=sm_90");
  EXPECT_EQ(architecture_option(facts, 101), "--gpu-architecture=compute_100");
  EXPECT_EQ(architecture_option(facts, 130), "--gpu-architecture=compute_120");
  auto const options_of = [&](int major, int minor) {
    compiler_facts other = facts;
    other.major = major, other.minor = minor;
    return compiler_options(other, 90, false);
  };
  auto const own = [&](int capability) { return compiler_options(facts, capability, true)[2]; };
  EXPECT_EQ(own(90), "--gpu-architecture=sm_90a");
  EXPECT_EQ(own(80), "--gpu-architecture=sm_80");
  EXPECT_EQ(own(101), "--gpu-architecture=compute_100");
  EXPECT_EQ(options_of(12, 3), (std::vector<std::string>{"-std=c++20", "-DNDEBUG", "--gpu-architecture=sm_90"}));
  EXPECT_EQ(options_of(12, 4).back(), "--minimal");
  EXPECT_EQ(options_of(13, 0).back(), "--minimal");
  EXPECT_TRUE(has(sentence_of([&] { architecture_option(facts, 70); }),
                  "compiles for compute capability 7.5 and later, this device has 7.0"));
}

TEST(nvrtc, compiles_kernels_with_the_embedded_headers) {
  auto const compiler = installed();
  if (!compiler) GTEST_SKIP() << why_skipped;
  std::string const source =
      "#include \"tilewright/tilewright.hpp\"\n"
      "using namespace tilewright;\n"
      "extern \"C\" __global__ void k(void const* src, void* dst) {\n"
      "  auto const layout = Layout<Shape<_8, _16>, Stride<_16, _1>>{};\n"
      "  auto const s = make_tensor(make_gmem_ptr(static_cast<float const*>(src)), layout);\n"
      "  auto const d = make_tensor(make_gmem_ptr(static_cast<float*>(dst)), layout);\n"
      "  d(int(threadIdx.x)) = s(int(threadIdx.x));\n"
      "}\n";
  int const known = compiler->facts().architectures.front();
  auto const code = compiler->compile(source, "k.cu", {"-std=c++20", architecture_option(compiler->facts(), known)});
  EXPECT_TRUE(
      code.starts_with("\x7f"
                       "ELF"));
  auto const ptx =
      compiler->compile(source, "k.cu", {"-std=c++20", "--gpu-architecture=compute_" + std::to_string(known)});
  EXPECT_TRUE(has(ptx, ".visible .entry k("));
}

TEST(nvrtc, an_error_brings_the_compilers_log) {
  auto const compiler = installed();
  if (!compiler) GTEST_SKIP() << why_skipped;
  auto const sentence = sentence_of([&] { compiler->compile("int x = undeclared_name;\n", "bad.cu", {"-std=c++20"}); });
  EXPECT_TRUE(has(sentence, "failed compiling bad.cu with NVRTC_ERROR_COMPILATION")) << sentence;
  EXPECT_TRUE(has(sentence, "identifier \"undeclared_name\" is undefined")) << sentence;
  EXPECT_TRUE(has(sentence_of([&] { compiler->compile("", "x.cu", {"--no-such-option"}); }), "no-such-option"));
}

TEST(run_time_compiler, is_remembered_without_being_opened) {
  std::string name = (fs::temp_directory_path() / "tilewright_notes_XXXXXX").string();
  ASSERT_NE(::mkdtemp(name.data()), nullptr);
  fs::path const library = fs::path(name) / "libnvrtc.so";
  std::ofstream(library) << "a file that cannot be opened as a library";
  ::setenv("TILEWRIGHT_NVRTC", library.c_str(), 1);
  disk_cache const notes(fs::path(name) / "notes");
  auto const opening_fails = [&] {
    run_time_compiler compiler(notes, 13000);
    return has(sentence_of([&] { compiler.facts(); }), "libnvrtc.so cannot be opened");
  };
  EXPECT_TRUE(opening_fails());
  compiler_facts const facts{library.string(), 12, 9, {75, 80}};
  ASSERT_TRUE(note_of(facts));
  ASSERT_TRUE(notes.store(key_of_note(13000), *note_of(facts)));
  run_time_compiler remembered(notes, 13000);
  EXPECT_EQ(remembered.facts(), facts);
  EXPECT_FALSE(sentence_of([&] { remembered.open(); }).empty());
  // Another file under the name, another setting, another driver: the note says nothing.
  EXPECT_FALSE(notes.load(key_of_note(12000)));
  std::ofstream(library) << "another file that cannot be opened";
  EXPECT_TRUE(opening_fails());
  fs::remove(library);
  EXPECT_FALSE(note_of(facts));
  EXPECT_TRUE(opening_fails());
  fs::remove_all(name);
}

TEST(run_time_compiler, notes_what_it_opens) {
  auto const compiler = installed();
  if (!compiler) GTEST_SKIP() << why_skipped;
  std::string name = (fs::temp_directory_path() / "tilewright_notes_XXXXXX").string();
  ASSERT_NE(::mkdtemp(name.data()), nullptr);
  disk_cache const notes(name);
  run_time_compiler first(notes, 13999), second(notes, 13999);
  EXPECT_EQ(first.facts(), compiler->facts());
  ASSERT_TRUE(notes.load(key_of_note(13999)));
  EXPECT_EQ(read_note(*notes.load(key_of_note(13999))), compiler->facts());
  EXPECT_EQ(second.facts(), compiler->facts());
  ASSERT_NE(second.open(), nullptr);
  EXPECT_EQ(second.open()->facts(), compiler->facts());
  fs::remove_all(name);
}

TEST(run_time_compiler, none_is_an_answer) {
  ::setenv("TILEWRIGHT_NVRTC", "none", 1);
  disk_cache const notes({});
  run_time_compiler compiler(notes, 13999);
  EXPECT_FALSE(compiler.facts());
  EXPECT_EQ(compiler.open(), nullptr);
}

}  // namespace
