// The few calls of SQLite that the store needs, with its errors as StoreError.
#pragma once

#include <cstdint>
#include <string>

#include <sqlite3.h>

#include "profiler/store/store.h"

namespace rightsize {

// Nothing is wrong with the file or with what was asked: the machine does not let it be used now,
// as a full disk.
class StoreUnavailable : public StoreError {
 public:
  using StoreError::StoreError;
};

// Another process would not let go of the file in time.
class StoreBusy : public StoreUnavailable {
 public:
  using StoreUnavailable::StoreUnavailable;
};

// Move-only in spirit: owns the connection.
class Database {
 public:
  // `writable` opens or creates. Otherwise nothing is written, not even beside the file: it may lie
  // in a folder, or on a disk, that this user cannot write to. `busy_s`: how long to wait for
  // another process. Throws StoreError.
  Database(const std::string& path, bool writable, double busy_s);

  void wait_at_most(double busy_s) const;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  void execute(const std::string& sql) const;
  [[nodiscard]] std::int64_t pragma(const std::string& name) const;
  [[nodiscard]] sqlite3* handle() const { return handle_; }
  [[nodiscard]] const std::string& path() const { return path_; }

  // Throws StoreBusy, StoreUnavailable or StoreError with the cause and the remedy for SQLite's
  // result `code`.
  [[noreturn]] void fail(int code, const std::string& doing) const;

 private:
  void open(const std::string& name, int flags);
  // True when a table can be read.
  [[nodiscard]] bool answers() const;

  std::string path_;
  sqlite3* handle_ = nullptr;
};

// One prepared statement; parameters count from 1, columns from 0.
class Statement {
 public:
  Statement(const Database& database, const std::string& sql);
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement();

  Statement& bind(int parameter, const std::string& text);
  Statement& bind(int parameter, std::int64_t value);
  Statement& bind(int parameter, double value);
  Statement& bind_bytes(int parameter, const std::string& bytes);  // empty: NULL

  // True while there is a row.
  bool step();
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::string bytes(int column) const;  // of NULL: none
  [[nodiscard]] std::int64_t integer(int column) const;

 private:
  const Database& database_;
  sqlite3_stmt* statement_ = nullptr;
};

// Until it ends everything that is read is of one moment, whatever another process writes or
// migrates meanwhile: from the first read on. Nothing of its own inside a Transaction, which is as
// good. Statements are to end before it.
class Snapshot {
 public:
  explicit Snapshot(const Database& database);
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;
  ~Snapshot();

 private:
  const Database& database_;
  bool own_;
};

// Rolls back unless committed.
class Transaction {
 public:
  explicit Transaction(const Database& database);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  void commit();

 private:
  const Database& database_;
  bool open_ = true;
};

}  // namespace rightsize
