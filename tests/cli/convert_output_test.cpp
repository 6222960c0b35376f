// The files of `tilewright convert`: an output appears complete or not at all, a mapping whose file shrinks is noticed. And
// the words of the progress bar.
#include "scratch_folder.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <array>
#include <cstdlib>
#include <cstring>

#include "apps/cli/convert/faults.hpp"
#include "apps/cli/convert/output.hpp"
#include "apps/cli/convert/progress_bar.hpp"

namespace tilewright::test {
namespace {

using namespace tilewright::cli;

// --- files ------------------------------------------------------------------------------------------------------------

class convert_output : public testing::TestWithParam<new_file::kind> {};
INSTANTIATE_TEST_SUITE_P(both_kinds, convert_output,
                         testing::Values(new_file::kind::unnamed_if_possible, new_file::kind::named),
                         [](auto const& which) { return which.param == new_file::kind::named ? "named" : "unnamed"; });

void fill(new_file& file, std::string const& text) {
  file.reserve(static_cast<std::int64_t>(text.size()));
  ASSERT_EQ(write_at(file.file().get(), 0, std::as_bytes(std::span(text))), 0);
  file.flush();
}

TEST_P(convert_output, appears_when_published_and_leaves_nothing_else) {
  scratch const folder;
  {
    new_file file(folder.at("out"), false, GetParam());
    fill(file, "new");
    EXPECT_EQ(folder.names().count("out"), 0u);
    file.publish();
    EXPECT_EQ(folder.names(), (std::set<std::string>{"out"}));
  }
  EXPECT_EQ(contents(folder.at("out")), "new");
  EXPECT_EQ(folder.names(), (std::set<std::string>{"out"}));
}

TEST_P(convert_output, goes_without_a_trace_when_it_is_not_published) {
  scratch const folder;
  {
    new_file file(folder.at("out"), false, GetParam());
    fill(file, "new");
  }
  EXPECT_EQ(folder.names(), std::set<std::string>{});
}

TEST_P(convert_output, replaces_only_when_told_and_keeps_the_permissions) {
  scratch const folder;
  write(folder.at("out"), "old");
  EXPECT_EQ(sentence_of([&] { new_file(folder.at("out"), false, GetParam()); }),
            "'" + folder.at("out") + "' exists; --force replaces it");
  chmod(folder.at("out").c_str(), 0640);
  new_file file(folder.at("out"), true, GetParam());
  fill(file, "new");
  EXPECT_EQ(contents(folder.at("out")), "old");
  file.publish();
  EXPECT_EQ(contents(folder.at("out")), "new");
  struct stat there {};
  ASSERT_EQ(stat(folder.at("out").c_str(), &there), 0);
  EXPECT_EQ(there.st_mode & 07777, 0640u);
  EXPECT_EQ(folder.names(), (std::set<std::string>{"out"}));
}

TEST_P(convert_output, a_file_that_appears_meanwhile_is_kept) {
  scratch const folder;
  {
    new_file file(folder.at("out"), false, GetParam());
    fill(file, "new");
    write(folder.at("out"), "somebody else's");
    EXPECT_EQ(sentence_of([&] { file.publish(); }),
              "'" + folder.at("out") + "' was created by another program meanwhile and is left as it is");
  }
  EXPECT_EQ(contents(folder.at("out")), "somebody else's");
  EXPECT_EQ(folder.names(), (std::set<std::string>{"out"}));
}

TEST_P(convert_output, new_files_have_the_permissions_that_umask_leaves) {
  scratch const folder;
  mode_t const before = umask(0027);
  new_file file(folder.at("out"), false, GetParam());
  umask(before);
  fill(file, "new");
  file.publish();
  struct stat there {};
  ASSERT_EQ(stat(folder.at("out").c_str(), &there), 0);
  EXPECT_EQ(there.st_mode & 07777, 0640u);
}

TEST_P(convert_output, links_are_followed) {
  scratch const folder;
  std::filesystem::create_directory(folder.at("elsewhere"));
  write(folder.at("elsewhere/file"), "old");
  std::filesystem::create_symlink("elsewhere/file", folder.at("out"));
  new_file file(folder.at("out"), true, GetParam());
  fill(file, "new");
  file.publish();
  EXPECT_EQ(contents(folder.at("elsewhere/file")), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.at("out")));
}

TEST_P(convert_output, what_is_no_regular_file_is_never_replaced) {
  scratch const folder;
  std::filesystem::create_symlink("nowhere", folder.at("dangling"));
  ASSERT_EQ(mkfifo(folder.at("pipe").c_str(), 0600), 0);
  std::filesystem::create_directory(folder.at("folder"));
  auto const sentence = [&](std::string const& name) {
    return sentence_of([&] { new_file(folder.at(name), true, GetParam()); });
  };
  EXPECT_EQ(sentence("dangling"),
            "'" + folder.at("dangling") + "' is a link to a file that does not exist; remove it first");
  std::string const not_regular =
      "' is not a regular file, and only those are replaced; write to standard output (-) for pipes and devices";
  EXPECT_EQ(sentence("pipe"), "'" + folder.at("pipe") + not_regular);
  EXPECT_EQ(sentence("folder"), "'" + folder.at("folder") + "' is a folder, not a file");
  EXPECT_EQ(sentence("folder/"), "'" + folder.at("folder/") + "' is a folder, not a file");
  EXPECT_EQ(sentence("missing/out"), "'" + folder.at("missing/out") + "' cannot be written: No such file or directory");
  EXPECT_EQ(sentence("pipe/out"), "'" + folder.at("pipe/out") + "' cannot be written: Not a directory");
  EXPECT_EQ(sentence_of([] { new_file("/dev/null", true, GetParam()); }), "'/dev/null" + not_regular);
}

TEST_P(convert_output, a_size_that_no_disk_has_is_refused_before_anything_is_reserved) {
  scratch const folder;
  new_file file(folder.at("out"), false, GetParam());
  std::int64_t const room = free_bytes(file.file().get());
  std::string const sentence = sentence_of([&] { file.reserve(std::int64_t{1} << 62); });
  EXPECT_EQ(sentence.rfind("'" + folder.at("out") + "' needs ", 0), 0u) << sentence;
  EXPECT_NE(sentence.find("(4611686018427387904 bytes)"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find(" free; make room or write elsewhere"), std::string::npos) << sentence;
  struct stat there {};
  ASSERT_EQ(fstat(file.file().get(), &there), 0);
  EXPECT_EQ(there.st_size, 0);
  EXPECT_EQ(there.st_blocks, 0);
  EXPECT_GT(room, 0);
}

TEST(convert_file, names_are_quoted_as_a_shell_reads_them) {
  EXPECT_EQ(shell_name("in.npy"), "'in.npy'");
  EXPECT_EQ(shell_name("two words.npy"), "'two words.npy'");
  EXPECT_EQ(shell_name("it's.npy"), "'it'\\''s.npy'");
  EXPECT_EQ(shell_name("a\nb'\\.npy"), "$'a\\x0ab\\'\\\\.npy'");
  for (std::string const name : {"in.npy", "it's", "a b", "a\tb", "'", "\\", "a\n'b\\"}) {
    scratch const folder;
    std::string const script = "printf %s " + shell_name(name) + " > " + shell_name(folder.at("out"));
    write(folder.at("script"), script);
    ASSERT_EQ(std::system(("bash " + folder.at("script")).c_str()), 0) << script;
    EXPECT_EQ(contents(folder.at("out")), name) << script;
  }
}

TEST(convert_file, sizes_are_told_in_full) {
  EXPECT_EQ(text_of_bytes(999), "999 bytes");
  EXPECT_EQ(text_of_bytes(1'500'000), "1.5 MB (1500000 bytes)");
  EXPECT_EQ(text_of_bytes(41'000'000'000), "41.0 GB (41000000000 bytes)");
}

// --- faults -----------------------------------------------------------------------------------------------------------

TEST(convert_faults, a_file_that_shrinks_while_it_is_mapped_reads_as_zeros_and_is_noticed) {
  scratch const folder;
  constexpr std::size_t bytes = 3u << 20;
  write(folder.at("file"), std::string(bytes, 'x'));
  descriptor const file(open(folder.at("file").c_str(), O_RDWR));
  auto* const begin = static_cast<std::byte*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0));
  ASSERT_NE(begin, MAP_FAILED);
  std::array<std::byte, 16> other{};
  fault_watch watch;
  int const untouched = watch.add(other.data(), other.size(), false);
  int const watched = watch.add(begin, bytes, true);
  auto const byte_at = [&](std::size_t at) -> unsigned char volatile& {
    return reinterpret_cast<unsigned char volatile*>(begin)[at];
  };
  EXPECT_EQ(int{byte_at(bytes - 1)}, 'x');
  EXPECT_FALSE(watch.any());

  ASSERT_EQ(ftruncate(file.get(), 1 << 20), 0);
  EXPECT_EQ(int{byte_at(100)}, 'x');
  EXPECT_FALSE(watch.any());
  EXPECT_EQ(int{byte_at((2u << 20) + 5)}, 0);
  EXPECT_TRUE(watch.any());
  EXPECT_EQ(watch.fault_in(watched), (2u << 20) + 5);
  EXPECT_EQ(watch.fault_in(untouched), std::nullopt);
  byte_at(bytes - 1) = 7;  // another page; the first fault stays the answer
  EXPECT_EQ(int{byte_at(bytes - 1)}, 7);
  EXPECT_EQ(watch.fault_in(watched), (2u << 20) + 5);
  munmap(begin, bytes);
}

// --- progress ---------------------------------------------------------------------------------------------------------

TEST(convert_progress, share_rate_and_time_left) {
  EXPECT_EQ(progress_text("writing", 0, 100, 0), "writing   0 % [                              ]");
  EXPECT_EQ(progress_text("writing", 5'000'000'000, 10'000'000'000, 2),
            "writing  50 % [###############               ]    2.50 GB/s  0:02 left");
  EXPECT_EQ(progress_text("verifying", 1'000'000, 4'000'000'000, 1),
            "verifying   0 % [                              ]     1.0 MB/s  1:06:39 left");
  EXPECT_EQ(progress_text("writing", 100, 100, 1),
            "writing 100 % [##############################]     0.0 MB/s  0:00 left");
  EXPECT_EQ(progress_text("writing", 0, 0, 1), "writing 100 % [##############################]");
}

}  // namespace
}  // namespace tilewright::test
