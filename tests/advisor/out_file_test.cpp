// Where an answer is written: what lay there is replaced whole, and nothing but files ever is.
#include <cerrno>
#include <filesystem>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "advisor/cli/command.h"
#include "advisor/text_file.h"
#include "profiler/store/store.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::run;
namespace fs = std::filesystem;

TEST_CASE("out-file: a pipe is written to and stays one, as a device does") {
  const TemporaryFolder folder;
  const auto pipe = folder / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  // Open at both ends, so that neither side waits for the other; the list fits the pipe.
  const int kept = open(pipe.c_str(), O_RDWR);
  REQUIRE(kept >= 0);
  CHECK(run({"gpus", "-o", "csv", "--out-file", pipe}).code == cli::exit_ok);
  std::string begin(8, ' ');
  CHECK(read(kept, begin.data(), begin.size()) == 8);
  CHECK(begin == "gpu,arch");
  close(kept);
  CHECK(fs::is_fifo(pipe));
  CHECK(run({"networks", "--out-file", "/dev/full"}).code == cli::exit_failed);
  CHECK(fs::is_character_file("/dev/full"));
}

TEST_CASE("out-file: a link stays a link, and a file keeps who may read it") {
  const TemporaryFolder folder;
  const auto file = folder.write("real.csv", "of before");
  const auto link = folder / "link.csv";
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("real.csv", link);
  CHECK(run({"networks", "-o", "csv", "--out-file", link}).code == cli::exit_ok);
  CHECK(fs::is_symlink(link));
  CHECK(read_text_file(file).starts_with("name,"));
  CHECK(fs::status(file).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  fs::create_symlink("not_yet.csv", folder / "dangling.csv");
  CHECK(run({"networks", "-o", "csv", "--out-file", folder / "dangling.csv"}).code == cli::exit_ok);
  CHECK(fs::is_symlink(folder / "dangling.csv"));
  fs::remove(folder / "dangling.csv");
  CHECK(fs::remove(folder / "not_yet.csv"));
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 2);
}

TEST_CASE("out-file: what the shell has open keeps what was in it") {
  const TemporaryFolder folder;
  const auto log = folder.write("log", "of before\n");
  const int open_log = open(log.c_str(), O_WRONLY | O_APPEND);
  REQUIRE(open_log >= 0);
  const auto name = "/proc/self/fd/" + std::to_string(open_log);  // as /dev/stdout leads to 1
  CHECK(run({"networks", "-o", "csv", "--out-file", name}).code == cli::exit_ok);
  close(open_log);
  CHECK(read_text_file(log).starts_with("of before\nname,"));
  const auto nowhere = run({"networks", "--out-file", "/proc/none.csv"});
  CHECK(nowhere.code == cli::exit_failed);
  CHECK(nowhere.err.find("/proc/none.csv: cannot be written: No such file") != std::string::npos);
}

TEST_CASE("out-file: why nothing was written is what the system says") {
  const auto full = run({"networks", "--out-file", "/dev/full"});
  CHECK(full.err.find("/dev/full: the disk is full") != std::string::npos);
  CHECK(why_unwritable(EACCES).starts_with("this user may not write there"));
  CHECK(why_unwritable(EPERM) == why_unwritable(EACCES));
  CHECK(why_unwritable(EROFS).starts_with("the disk may only be read"));
  CHECK(why_unwritable(ELOOP).starts_with("links that lead to each other"));
  CHECK(why_unwritable(EIO) == "cannot be written: Input/output error");
}

TEST_CASE("out-file: a name that cannot even be looked at is of a file to write, not to read") {
  const TemporaryFolder folder;
  const auto named = run({"networks", "--out-file", folder / std::string(300, 'a')});
  CHECK(named.code == cli::exit_usage);
  CHECK(named.err.find("take a shorter one") != std::string::npos);  // of reading: "is it one?"
  fs::create_symlink("loop", folder / "loop");
  const auto looped = run({"networks", "--out-file", folder / "loop/networks.csv"});
  CHECK(looped.code == cli::exit_usage);
  CHECK(looped.err.find("links that lead to each other") != std::string::npos);
  if (::geteuid() == 0) {  // whom nothing is forbidden: ask as nobody
    fs::permissions(folder.path(), fs::perms::owner_all);
    REQUIRE(::seteuid(65534) == 0);
    const auto refused = run({"networks", "--out-file", folder / "networks.csv"});
    REQUIRE(::seteuid(0) == 0);
    CHECK(refused.err.find("this user may not write there") != std::string::npos);
  }
}

TEST_CASE("out-file: a file that the command reads is not written over") {
  const TemporaryFolder folder;
  const auto job =
      folder.write("job.toml", read_text_file(RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml"));
  const auto rows = folder.write("rows.csv", "network,gpu\nresnet50,T4\n");
  const auto kept = [&](const std::vector<std::string>& arguments, const std::string& file) {
    const auto before = read_text_file(file);
    const auto result = run(arguments);
    CAPTURE(result.err);
    CHECK(result.code == cli::exit_usage);
    CHECK(result.err.find(": that file is read, as ") != std::string::npos);
    CHECK(read_text_file(file) == before);
  };
  fs::create_symlink("job.toml", folder / "link.toml");
  kept({"advise", job, "--out-file", job}, job);
  kept({"advise", job, "--out-file", folder / "./job.toml"}, job);
  kept({"advise", job, "--out-file", folder / "link.toml"}, job);
  kept({"report", job, "--html", job}, job);
  kept({"predict", "--batch-file", rows, "--out-file", rows}, rows);
  const auto store = folder / "records.db";
  static_cast<void>(Store(store));
  const auto exported = run({"records", "export", store, "--db", store});
  CHECK(exported.err.find("that is the store itself") != std::string::npos);
  const auto table = folder.write("tables/mine.csv", "Provider,InstanceType\n");
  kept({"advise", job, "--prices", table, "--out-file", table}, table);
  kept({"advise", job, "--prices", folder / "tables", "--out-file", table}, table);
}

TEST_CASE("out-file: that nothing can be written is said before anything else") {
  const TemporaryFolder folder;
  const std::string job = RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml";
  const auto result = test::run_without_model(
      {"advise", job, "-o", "csv", "--max-results", "1", "--out-file", folder / "no/answer.csv"});
  CHECK(result.code == cli::exit_usage);
  CHECK(result.err ==
        "error: " + (folder / "no/answer.csv") + ": there is no folder " + (folder / "no") + "\n");
}
