// Writing what the user asked to have in a file.
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "advisor/cli/command.h"
#include "advisor/cli/out_file.h"
#include "advisor/query/usage_error.h"
#include "advisor/text_file.h"

namespace rightsize::cli {

namespace fs = std::filesystem;

namespace {

// `asked`: what the user named, for the error.
void write_text(const fs::path& path,
                const std::string& asked,
                const std::string& text,
                std::ios::openmode how = std::ios::trunc) {
  errno = 0;
  std::ofstream out(path, std::ios::binary | std::ios::out | how);
  out << text;
  out.flush();
  if (!out) {
    throw std::runtime_error(fmt::format("{}: {}", asked, why_unwritable(errno)));
  }
}

// What a name leads to. A link stays one, also to a file that is yet to be; /dev/stdout leads by
// /proc to what the shell has opened, which is the shell's to keep.
struct Target {
  fs::path path;
  bool is_open = false;
};

Target behind_links(fs::path path) {
  constexpr int most = 40;  // as Linux follows
  bool is_open = false;
  for (int links = 0; fs::is_symlink(path) && links < most; ++links) {
    is_open = is_open || path.string().starts_with("/proc/");
    path = path.parent_path() / fs::read_symlink(path);
  }
  return {path, is_open};
}

// Beside it first, then in its place: who reads it sees the old one or the new one whole.
void replace_text(const fs::path& path, const std::string& asked, const std::string& text) {
  const fs::path temporary = fmt::format("{}.{}.tmp", path.string(), ::getpid());
  std::error_code ignored;
  try {
    write_text(temporary, asked, text);
    if (fs::exists(path)) {
      fs::permissions(temporary, fs::status(path).permissions());
    }
    fs::rename(temporary, path);
  } catch (...) {
    fs::remove(temporary, ignored);
    throw;
  }
}

// A device, a pipe or what is open already is written to; in its place it would be gone.
bool is_kept(const std::string& path, const Target& target) {
  return target.is_open || (fs::exists(path) && !fs::is_regular_file(path));
}

void require_place(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  if (fs::is_directory(path)) {
    throw UsageError(fmt::format("{}: is a folder; name a file in it", path));
  }
  if (!parent.empty() && !fs::exists(parent)) {
    throw UsageError(fmt::format("{}: there is no folder {}", path, parent.string()));
  }
}

// A file is made beside it first, so its folder has to take one.
void require_permission(const std::string& path) {
  const auto target = behind_links(path);
  const auto folder = target.path.parent_path();
  const auto changed = is_kept(path, target) ? fs::path(path) : folder.empty() ? "." : folder;
  for (const auto& needed : {changed, target.path}) {  // who may not write a file keeps it
    if (fs::exists(needed) && ::faccessat(AT_FDCWD, needed.c_str(), W_OK, AT_EACCESS) != 0) {
      throw UsageError(fmt::format("{}: {}", path, why_unwritable(errno)));
    }
  }
}

void write_where(const std::string& path, const std::string& text) {
  require_place(path);
  const auto target = behind_links(path);
  if (is_kept(path, target)) {
    write_text(path, path, text, std::ios::app);
  } else {
    replace_text(target.path, path, text);
  }
}

// A folder that may not be looked into stops a write before it is tried.
[[noreturn]] void throw_why(const std::string& path, const fs::filesystem_error& what) {
  const auto reason = fmt::format("{}: {}", path, why_unwritable(what.code().value()));
  if (what.code() == std::errc::no_space_on_device || what.code() == std::errc::io_error) {
    throw std::runtime_error(reason);
  }
  throw UsageError(reason);
}

}  // namespace

void check_writable(const std::string& path) {
  try {
    require_place(path);
    require_permission(path);
  } catch (const fs::filesystem_error& what) {
    throw_why(path, what);
  }
}

void write_file(const std::string& path, const std::string& text) {
  try {
    write_where(path, text);
  } catch (const fs::filesystem_error& what) {
    throw_why(path, what);
  }
}

}  // namespace rightsize::cli
