#include "profiler/store/database.h"

#include <cerrno>
#include <filesystem>

#include <fmt/format.h>

namespace rightsize {
namespace {

const char* remedy(int code) {
  switch (code & 0xFF) {
    case SQLITE_NOTADB:
      return "it is not a rightsize store; name another file, or move this one away";
    case SQLITE_CORRUPT:
      return "the file is damaged; rescue it with `sqlite3 FILE .recover`, or import a JSONL "
             "export";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "another process is writing to it; wait for that campaign to end, or use another file";
    case SQLITE_FULL:
      return "the disk is full; free some space, what was appended before is safe";
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return "it is not writable; check the permissions of the file and of its folder";
    case SQLITE_CANTOPEN:
      return "it cannot be opened; does the folder exist, and may you write there?";
    case SQLITE_IOERR:
      return "is the disk full? free some space; else check the disk and the file";
    default:
      return "check the disk and the file";
  }
}

bool has_no_log(const std::string& path) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path + "-wal", error);
  return error || bytes == 0;
}

// The characters that mean something in a file: URI.
std::string escaped(const std::string& path) {
  std::string out;
  for (const char c : path) {
    out += c == '?' || c == '#' || c == '%' ? fmt::format("%{:02X}", c) : std::string(1, c);
  }
  return out;
}

}  // namespace

Database::Database(const std::string& path, bool writable, double busy_s) : path_(path) {
  try {
    if (writable) {
      open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    } else {
      open(path, SQLITE_OPEN_READONLY);
      // A write-ahead log needs a small file beside it even to read. Where that cannot be made, as
      // the folder is not writable or the disk is full, and there is no log, nobody writes: the
      // file may be read as it is.
      if (!answers() && has_no_log(path)) {
        open("file:" + escaped(path) + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
      }
    }
  } catch (...) {
    sqlite3_close(handle_);  // the destructor does not run
    throw;
  }
  wait_at_most(busy_s);
}

void Database::wait_at_most(double busy_s) const {
  sqlite3_busy_timeout(handle_, static_cast<int>(1000 * busy_s));
}

Database::~Database() {
  sqlite3_close(handle_);
}

void Database::open(const std::string& name, int flags) {
  sqlite3_close(handle_);
  const int code = sqlite3_open_v2(name.c_str(), &handle_, flags, nullptr);
  if (code != SQLITE_OK) {
    fail(code, "open");
  }
  sqlite3_extended_result_codes(handle_, 1);
}

bool Database::answers() const {
  const int code = sqlite3_exec(handle_, "SELECT 1 FROM sqlite_master", nullptr, nullptr, nullptr);
  const int kind = code & 0xFF;
  return kind != SQLITE_CANTOPEN && kind != SQLITE_READONLY && kind != SQLITE_IOERR &&
         kind != SQLITE_FULL;
}

void Database::fail(int code, const std::string& doing) const {
  const int kind = code & 0xFF;
  // Of the small files beside it a full disk is an input/output error like any.
  const bool full = kind == SQLITE_FULL || (kind == SQLITE_IOERR && handle_ != nullptr &&
                                            sqlite3_system_errno(handle_) == ENOSPC);
  const auto message =
      fmt::format("cannot {} the store {}: {}{}",
                  doing,
                  path_,
                  full                 ? ""
                  : handle_ == nullptr ? "out of memory; "
                                       : fmt::format("{}; ", sqlite3_errmsg(handle_)),
                  remedy(full ? SQLITE_FULL : code));
  if (kind == SQLITE_BUSY) {
    throw StoreBusy(message);
  }
  if (full || kind == SQLITE_IOERR) {
    throw StoreUnavailable(message);
  }
  throw StoreError(message);
}

void Database::execute(const std::string& sql) const {
  const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) {
    fail(code, "write to");
  }
}

std::int64_t Database::pragma(const std::string& name) const {
  Statement statement(*this, "PRAGMA " + name);
  return statement.step() ? statement.integer(0) : 0;
}

Statement::Statement(const Database& database, const std::string& sql) : database_(database) {
  const int code = sqlite3_prepare_v2(database.handle(), sql.c_str(), -1, &statement_, nullptr);
  if (code != SQLITE_OK) {
    database.fail(code, "read");
  }
}

Statement::~Statement() {
  sqlite3_finalize(statement_);
}

Statement& Statement::bind(int parameter, const std::string& text) {
  sqlite3_bind_text(
      statement_, parameter, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  return *this;
}

Statement& Statement::bind(int parameter, std::int64_t value) {
  sqlite3_bind_int64(statement_, parameter, value);
  return *this;
}

Statement& Statement::bind(int parameter, double value) {
  sqlite3_bind_double(statement_, parameter, value);
  return *this;
}

Statement& Statement::bind_bytes(int parameter, const std::string& bytes) {
  if (bytes.empty()) {
    sqlite3_bind_null(statement_, parameter);
  } else {
    sqlite3_bind_blob(
        statement_, parameter, bytes.data(), static_cast<int>(bytes.size()), SQLITE_TRANSIENT);
  }
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_);
  if (code != SQLITE_ROW && code != SQLITE_DONE) {
    database_.fail(code, "read or write");
  }
  return code == SQLITE_ROW;
}

std::string Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return text == nullptr
             ? std::string()
             : std::string(text,
                           static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
}

std::string Statement::bytes(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  return bytes == nullptr
             ? std::string()
             : std::string(bytes,
                           static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

Snapshot::Snapshot(const Database& database)
    : database_(database), own_(sqlite3_get_autocommit(database.handle()) != 0) {
  if (own_) {
    database_.execute("BEGIN");
  }
}

Snapshot::~Snapshot() {
  if (own_) {
    sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);  // nothing was written
  }
}

Transaction::Transaction(const Database& database) : database_(database) {
  database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (open_) {
    sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace rightsize
