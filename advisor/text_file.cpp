#include "advisor/text_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "advisor/query/usage_error.h"

namespace rightsize {

std::string why_unreadable(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return "there is no such file; is the name right?";
    case EACCES:
    case EPERM:
      return "this user may not read it, or a folder above it; change the permissions";
    case ELOOP:
      return "links that lead to each other; name the file itself";
    case ENAMETOOLONG:
      return "no file can have so long a name; is it one?";
    default:
      return fmt::format("cannot be opened: {}", std::strerror(error));
  }
}

std::string why_unwritable(int error) {
  switch (error) {
    case EACCES:
    case EPERM:
      return "this user may not write there; change the permissions, or name another folder";
    case ENOSPC:
      return "the disk is full; make room, or name a file on another";
    case EDQUOT:
      return "this user's share of the disk is full; make room, or name a file on another";
    case EROFS:
      return "the disk may only be read; name a folder on another";
    case ENAMETOOLONG:
      return "no file can have so long a name; take a shorter one";
    case ELOOP:
      return "links that lead to each other; name another file";
    case 0:
      return "cannot be written";
    default:
      return fmt::format("cannot be written: {}", std::strerror(error));
  }
}

namespace {

std::map<std::string, std::string>& given_texts() {
  static std::map<std::string, std::string> texts;
  return texts;
}

}  // namespace

void give_text(const std::string& path, std::string text) {
  given_texts()[path] = std::move(text);
}

void check_readable(const std::string& path) {
  if (given_texts().contains(path)) {
    return;
  }
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown)) {
    throw UsageError(fmt::format("{}: is a folder; name a file in it", path));
  }
  errno = 0;
  if (!std::ifstream(path, std::ios::binary)) {
    throw UsageError(fmt::format("{}: {}", path, why_unreadable(errno)));
  }
}

std::string read_text_file(const std::string& path) {
  if (const auto given = given_texts().find(path); given != given_texts().end()) {
    return given->second;
  }
  check_readable(path);
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace rightsize
