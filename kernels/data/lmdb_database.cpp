#include "kernels/data/lmdb_database.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include <fmt/format.h>
#include <lmdb.h>

#include "kernels/data/datum.h"
#include "kernels/data/file.h"

namespace rightsize {

namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::uint64_t first_map_bytes = 64ULL << 20;
constexpr std::uint64_t key_limit = 511;  // LMDB's compiled-in MDB_MAXKEYSIZE

std::string data_file(const std::string& folder) {
  return folder + "/data.mdb";
}

struct CloseEnv {
  void operator()(MDB_env* env) const { mdb_env_close(env); }
};
struct AbortTxn {
  void operator()(MDB_txn* txn) const { mdb_txn_abort(txn); }
};
struct CloseCursor {
  void operator()(MDB_cursor* cursor) const { mdb_cursor_close(cursor); }
};
using Env = std::unique_ptr<MDB_env, CloseEnv>;
using Txn = std::unique_ptr<MDB_txn, AbortTxn>;
using Cursor = std::unique_ptr<MDB_cursor, CloseCursor>;

Env make_env() {
  MDB_env* raw = nullptr;
  if (mdb_env_create(&raw) != 0) {
    throw DataError("cannot make an LMDB environment: out of memory");
  }
  return Env(raw);
}

class LmdbDataset final : public Dataset {
 public:
  explicit LmdbDataset(const std::string& folder) : folder_(folder), env_(make_env()) {
    const auto file =
        File::open(data_file(folder),
                   "give the folder that holds data.mdb, or make it: rightsize dataset make");
    stored_bytes_ = file.size();
    // Read-only and static: no locks needed, no lock file made.
    check(mdb_env_open(env_.get(), folder.c_str(), MDB_RDONLY | MDB_NOLOCK | MDB_NOTLS, 0664));
    check_length();
    MDB_txn* txn = nullptr;
    check(mdb_txn_begin(env_.get(), nullptr, MDB_RDONLY, &txn));
    txn_.reset(txn);
    list_records();
  }

  [[nodiscard]] std::size_t size() const override { return records_.size(); }
  [[nodiscard]] std::uint64_t stored_bytes() const override { return stored_bytes_; }
  [[nodiscard]] std::vector<std::string> files() const override { return {data_file(folder_)}; }
  [[nodiscard]] std::string where(std::size_t index) const override {
    return fmt::format("record {} of {}", index, data_file(folder_));
  }

  [[nodiscard]] Sample read(std::size_t index, std::vector<std::byte>&) const override {
    const auto record = records_.at(index);
    // The view is lazy: touch every page, so that the disk is waited for here and nowhere else.
    for (std::size_t at = 0; at < record.size(); at += page_bytes) {
      static_cast<void>(*static_cast<const volatile std::byte*>(record.data() + at));
    }
    try {
      return decode_datum(record, "");
    } catch (const DataError& error) {  // the place is put together only when it is needed
      throw DataError(where(index) + error.what());
    }
  }

 private:
  void check(int code) const {
    if (code != 0) {
      throw DataError(fmt::format("{} is not a readable LMDB database: {}; copy or make it again",
                                  data_file(folder_),
                                  mdb_strerror(code)));
    }
  }

  // A short file would end in SIGBUS at some later read; the header knows the length.
  void check_length() const {
    MDB_envinfo info{};
    MDB_stat stat{};
    check(mdb_env_info(env_.get(), &info));
    check(mdb_env_stat(env_.get(), &stat));
    const auto needed = (std::uint64_t{info.me_last_pgno} + 1) * stat.ms_psize;
    if (stored_bytes_ < needed) {
      throw DataError(fmt::format(
          "{} ends at byte {}, but its header counts {} bytes; it is truncated: copy or "
          "make it again",
          data_file(folder_),
          stored_bytes_,
          needed));
    }
  }

  // Addresses stay valid as long as the read transaction is open: the index is 16 bytes a record.
  void list_records() {
    MDB_dbi dbi = 0;
    check(mdb_dbi_open(txn_.get(), nullptr, 0, &dbi));
    MDB_stat stat{};
    check(mdb_stat(txn_.get(), dbi, &stat));
    records_.reserve(stat.ms_entries);
    MDB_cursor* raw = nullptr;
    check(mdb_cursor_open(txn_.get(), dbi, &raw));
    const Cursor cursor(raw);
    MDB_val key{};
    MDB_val value{};
    int code = mdb_cursor_get(cursor.get(), &key, &value, MDB_FIRST);
    for (; code == 0; code = mdb_cursor_get(cursor.get(), &key, &value, MDB_NEXT)) {
      if (value.mv_size > stored_bytes_) {
        check(MDB_CORRUPTED);
      }
      records_.emplace_back(static_cast<const std::byte*>(value.mv_data), value.mv_size);
    }
    if (code != MDB_NOTFOUND) {
      check(code);
    }
    if (records_.empty()) {
      throw DataError(fmt::format("{} holds no records; make it again", data_file(folder_)));
    }
  }

  std::string folder_;
  std::uint64_t stored_bytes_ = 0;
  Env env_;
  Txn txn_;
  std::vector<std::span<const std::byte>> records_;
};

}  // namespace

std::unique_ptr<Dataset> open_lmdb(const std::string& folder) {
  return std::make_unique<LmdbDataset>(folder);
}

struct LmdbWriter::State {
  std::string path;
  std::size_t commit_every = 0;
  std::size_t next = 0;         // index of the next record
  std::size_t uncommitted = 0;  // records in `txn`
  std::uint64_t map_bytes = first_map_bytes;
  std::uint64_t claimed = 0;  // upper bound of the bytes the map will hold after `txn`
  std::uint64_t written = 0;
  Env env = make_env();
  Txn txn;
  MDB_dbi dbi = 0;
  std::vector<std::byte> message;

  void check(int code, std::uint64_t needed) const {
    if (code == MDB_MAP_FULL) {
      throw DataError(
          fmt::format("cannot write {}: its map of {} MiB is full; this is a bug in "
                      "LmdbWriter's bound, please report it",
                      path,
                      map_bytes >> 20));
    }
    if (code > 0) {
      throw write_error(path, needed, code);
    }
    if (code != 0) {
      throw DataError(fmt::format("cannot write {}: {}", path, mdb_strerror(code)));
    }
  }

  void begin() {
    MDB_txn* raw = nullptr;
    check(mdb_txn_begin(env.get(), nullptr, 0, &raw), 0);
    txn.reset(raw);
    check(mdb_dbi_open(txn.get(), nullptr, 0, &dbi), 0);
  }

  [[nodiscard]] std::uint64_t used_bytes() const {
    MDB_envinfo info{};
    mdb_env_info(env.get(), &info);
    return (std::uint64_t{info.me_last_pgno} + 1) * page_bytes;
  }

  // Makes room for `bytes` more. The map may only change between transactions, and a put that hits
  // its end (MDB_MAP_FULL) would lose the transaction: so room is made before.
  void make_room(LmdbWriter& writer, std::uint64_t bytes) {
    if (claimed + bytes <= map_bytes) {
      claimed += bytes;
      return;
    }
    writer.commit();
    while (map_bytes < claimed + bytes) {
      map_bytes *= 2;
    }
    check(mdb_env_set_mapsize(env.get(), map_bytes), bytes);
    claimed += bytes;
  }
};

LmdbWriter::LmdbWriter(const std::string& folder, std::size_t commit_every)
    : state_(std::make_unique<State>()) {
  state_->path = data_file(folder);
  state_->commit_every = commit_every;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::filesystem::remove(state_->path, error);
  std::filesystem::remove(folder + "/lock.mdb", error);
  state_->check(mdb_env_set_mapsize(state_->env.get(), state_->map_bytes), 0);
  state_->check(mdb_env_open(state_->env.get(), folder.c_str(), 0, 0664), page_bytes * 2);
  state_->claimed = state_->used_bytes() + 64 * page_bytes;
}

LmdbWriter::~LmdbWriter() = default;

void LmdbWriter::put(const Sample& sample, std::string_view name) {
  auto& state = *state_;
  encode_datum(sample, state.message);
  auto key_text = fmt::format("{:08}_{}", state.next, name);
  key_text.resize(std::min<std::size_t>(key_text.size(), key_limit));
  // The record's own pages, and what a split of the path to its leaf can cost at most.
  const auto bytes = (state.message.size() / page_bytes + 8) * page_bytes;
  state.make_room(*this, bytes);
  if (!state.txn) {
    state.begin();
  }
  MDB_val key{key_text.size(), key_text.data()};
  MDB_val value{state.message.size(), state.message.data()};
  state.check(mdb_put(state.txn.get(), state.dbi, &key, &value, MDB_APPEND), bytes);
  ++state.next;
  ++state.uncommitted;
  state.written += state.message.size() + key_text.size();
  if (state.uncommitted >= state.commit_every) {
    commit();
  }
}

void LmdbWriter::commit() {
  auto& state = *state_;
  if (state.txn) {
    const auto needed = state.uncommitted * (state.message.size() + page_bytes);
    state.check(mdb_txn_commit(state.txn.release()), needed);  // frees the transaction either way
    state.uncommitted = 0;
    state.claimed = state.used_bytes() + 64 * page_bytes;
  }
}

std::uint64_t LmdbWriter::bytes_written() const {
  return state_->written;
}

}  // namespace rightsize
