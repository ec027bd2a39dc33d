#include "profiler/store/journal.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <boost/json.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "profiler/store/store.h"

namespace rightsize {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, std::string_view doing) {
  throw StoreError(
      fmt::format("cannot {} the journal {}: {}; what was appended before is safe. Check the disk "
                  "and the folder's permissions",
                  doing,
                  path,
                  std::strerror(errno)));
}

std::string complete_lines(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  text.resize(text.find_last_of('\n') + 1);  // npos + 1 is 0
  return text;
}

// Power may fail: a file whose name is not on the disk is not there.
void sync_folder(const std::string& path) {
  const auto folder = fs::absolute(path).parent_path();
  if (const int handle = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); handle >= 0) {
    fsync(handle);
    close(handle);
  }
}

}  // namespace

Journal::Journal(const std::string& path) : path_(path) {
  for (auto& record : read_journals(fs::absolute(path).parent_path().string())) {
    remember(std::move(record));
  }
  file_ = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file_ < 0) {
    fail(path, "open");
  }
  if (ftruncate(file_, static_cast<off_t>(complete_lines(path).size())) != 0) {
    const int error = errno;
    close(file_);
    errno = error;
    fail(path, "mend");
  }
  sync_folder(path);
}

Journal::~Journal() {
  close(file_);
}

void Journal::append(const Record& record) {
  const auto line = boost::json::serialize(to_json(record)) + "\n";
  const off_t begin = lseek(file_, 0, SEEK_END);
  for (std::size_t written = 0; written < line.size();) {
    const auto count = write(file_, line.data() + written, line.size() - written);
    if (count < 0 && errno != EINTR) {
      const int error = errno;
      static_cast<void>(!ftruncate(file_, begin));  // a torn line is also left out when read
      errno = error;
      fail(path_, "write to");
    }
    written += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
  if (fdatasync(file_) != 0) {
    fail(path_, "write to");
  }
  remember(record);
}

void Journal::remember(Record record) {
  auto& same_id = records_[record.id];
  std::erase_if(same_id, [&](const Record& other) {
    return machine_key(other.machine) == machine_key(record.machine);
  });
  same_id.push_back(std::move(record));
}

std::vector<Record> Journal::all_of(const std::string& id) const {
  const auto found = records_.find(id);
  return found == records_.end() ? std::vector<Record>{} : found->second;
}

std::vector<Record> read_journals(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".jsonl") {
      paths.push_back(entry.path().string());
    }
  }
  // By task and attempt, as numbers: of two records of one run the later attempt's comes last.
  std::sort(paths.begin(), paths.end(), [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  std::vector<Record> records;
  for (const auto& path : paths) {
    std::istringstream lines(complete_lines(path));
    auto more = read_jsonl(lines, path);
    records.insert(
        records.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }
  return records;
}

}  // namespace rightsize
