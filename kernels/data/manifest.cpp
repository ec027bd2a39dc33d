#include "kernels/data/manifest.h"

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include <boost/json.hpp>

#include "kernels/data/file.h"

namespace rightsize {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view schema = "rightsize/dataset/1";

std::string manifest_path(const std::string& directory) {
  return directory + "/manifest.json";
}

boost::json::object describe(const GenerateOptions& options) {
  return {{"schema", schema},
          {"items", options.items},
          {"classes", options.classes},
          {"seed", options.seed},
          {"jpeg", options.jpeg},
          {"recordio", options.recordio},
          {"lmdb", options.lmdb}};
}

// 0 where there is none.
std::uint64_t size_of(const fs::path& file) {
  std::error_code error;
  const auto bytes = fs::file_size(file, error);
  return error ? 0 : bytes;
}

// nullopt: there is none, or it is half written, or no object.
std::optional<boost::json::object> manifest_in(const std::string& directory) {
  if (!fs::exists(manifest_path(directory))) {
    return std::nullopt;
  }
  std::vector<std::byte> storage;
  const auto bytes = read_file(manifest_path(directory), storage);
  boost::system::error_code error;
  auto manifest = boost::json::parse(
      std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()), error);
  return !error && manifest.is_object() ? std::optional(std::move(manifest.get_object()))
                                        : std::nullopt;
}

bool has_pictures(const fs::path& folder, const GenerateSummary& promised) {
  std::size_t items = 0;
  std::uint64_t bytes = 0;
  std::error_code error;
  auto entry = fs::recursive_directory_iterator(folder, error);
  for (; !error && entry != end(entry); entry.increment(error)) {
    if (entry->is_regular_file(error)) {
      ++items;
      bytes += size_of(entry->path());
    }
  }
  return !error && items == promised.items && bytes == promised.jpeg_bytes;
}

}  // namespace

bool has_manifest(const std::string& directory) {
  const auto manifest = manifest_in(directory);
  const auto* options = manifest ? manifest->if_contains("options") : nullptr;
  const auto* said =
      options && options->is_object() ? options->get_object().if_contains("schema") : nullptr;
  return said && said->is_string() && said->get_string() == schema;
}

std::optional<GenerateSummary> read_manifest(const GenerateOptions& options) {
  const auto manifest = manifest_in(options.directory);
  const auto* described = manifest ? manifest->if_contains("options") : nullptr;
  if (!described || *described != describe(options)) {
    return std::nullopt;
  }
  try {
    GenerateSummary summary;
    summary.items = options.items;
    summary.jpeg_bytes = manifest->at("jpeg_bytes").to_number<std::uint64_t>();
    summary.recordio_bytes = manifest->at("recordio_bytes").to_number<std::uint64_t>();
    summary.lmdb_bytes = manifest->at("lmdb_bytes").to_number<std::uint64_t>();
    summary.mean_jpeg_bytes = manifest->at("mean_jpeg_bytes").to_number<double>();
    return summary;
  } catch (const std::exception&) {  // json: out_of_range or system_error, by the version
    return std::nullopt;             // of another version: make it again
  }
}

GenerateOptions missing_of(const GenerateOptions& options, const GenerateSummary& promised) {
  const fs::path folder(options.directory);
  const bool has_records =
      size_of(folder / "train.rec") == promised.recordio_bytes && size_of(folder / "train.idx") > 0;
  const bool has_database = size_of(folder / "train.lmdb/data.mdb") == promised.lmdb_bytes;
  auto missing = options;
  missing.jpeg = options.jpeg && !has_pictures(folder / "jpeg", promised);
  missing.recordio = options.recordio && !has_records;
  missing.lmdb = options.lmdb && !has_database;
  return missing;
}

// Under another name first, so that it is never half there.
void write_manifest(const GenerateOptions& options, const GenerateSummary& summary) {
  const boost::json::object manifest{{"options", describe(options)},
                                     {"jpeg_bytes", summary.jpeg_bytes},
                                     {"recordio_bytes", summary.recordio_bytes},
                                     {"lmdb_bytes", summary.lmdb_bytes},
                                     {"mean_jpeg_bytes", summary.mean_jpeg_bytes}};
  const auto text = boost::json::serialize(manifest) + "\n";
  const auto unfinished = manifest_path(options.directory) + ".new";
  auto file = File::create(unfinished);
  file.append(std::as_bytes(std::span(text)));
  file.sync();
  fs::rename(unfinished, manifest_path(options.directory));
}

}  // namespace rightsize
