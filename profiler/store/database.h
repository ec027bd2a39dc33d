// The few calls of SQLite that the store needs, with its errors as StoreError.
#pragma once

#include <cstdint>
#include <string>

#include <sqlite3.h>

namespace rightsize {

// Move-only in spirit: owns the connection.
class Database {
 public:
  explicit Database(const std::string& path);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  void execute(const std::string& sql) const;
  [[nodiscard]] std::int64_t pragma(const std::string& name) const;
  [[nodiscard]] sqlite3* handle() const { return handle_; }
  [[nodiscard]] const std::string& path() const { return path_; }

  // Throws StoreError with the cause and the remedy for SQLite's result `code`.
  [[noreturn]] void fail(int code, const std::string& doing) const;

 private:
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

  // True while there is a row.
  bool step();
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;

 private:
  const Database& database_;
  sqlite3_stmt* statement_ = nullptr;
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
