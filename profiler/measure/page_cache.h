// The page cache as a condition of an experiment: a cold epoch is cold only when nobody left the
// files in memory, and a memory limit acts only on pages that the run itself brings in.
#pragma once

#include <cstdint>
#include <string>

namespace rightsize {

struct DropResult {
  std::size_t files = 0;
  std::uint64_t bytes = 0;           // of all files
  std::uint64_t resident_bytes = 0;  // still in memory afterwards, by mincore(2)
};

// Writes back and drops every regular file under `path` (a file or a folder), without root, by
// fdatasync(2) and posix_fadvise(POSIX_FADV_DONTNEED). What cannot be opened is left out.
DropResult drop_from_page_cache(const std::string& path);

struct FillResult {
  std::uint64_t bytes = 0;           // of all files
  std::uint64_t resident_bytes = 0;  // in memory afterwards; less where memory is short
};

// Reads every regular file under `path` through. The pages are charged to this process, so a memory
// limit of the run that follows does not push them out.
FillResult fill_page_cache(const std::string& path);

}  // namespace rightsize
