#include "advisor/candidate/preprocessing.h"

#include <fmt/format.h>

#include "advisor/machine/configuration.h"
#include "advisor/query/query.h"
#include "models/predict.h"

namespace rightsize {
namespace {

std::uint64_t with_written(std::uint64_t bytes, std::uint64_t items, DataFormat output) {
  const auto read_bytes = static_cast<double>(bytes) / static_cast<double>(items);
  return bytes + static_cast<std::uint64_t>(static_cast<double>(items) *
                                            preprocessed_bytes(output, read_bytes));
}

}  // namespace

std::optional<DataFormat> parse_picture_format(std::string_view text) {
  const auto format = parse_data_format(text);
  const bool holds_pictures = format == DataFormat::lmdb || format == DataFormat::recordio ||
                              format == DataFormat::tfrecord || format == DataFormat::jpeg;
  return holds_pictures ? format : std::nullopt;
}

std::uint64_t bytes_held(const Query& query) {
  return query.phase == Phase::preprocess
             ? with_written(query.dataset_bytes, query.items, query.writes)
             : query.dataset_bytes;
}

std::uint64_t bytes_held(const Configuration& asked) {
  return asked.phase == Phase::preprocess ? with_written(asked.bytes, asked.items, asked.writes)
                                          : asked.bytes;
}

void check_preprocessing(const Query& query) {
  const auto refuse = [&](const char* field, const char* expected) {
    throw UsageError(fmt::format(
        "{}: {} of a job with phase = \"preprocess\": {}", query.file, field, expected));
  };
  if (!parse_picture_format(to_string(query.format))) {
    refuse("data.format", "expected pictures to read: lmdb, recordio, tfrecord or jpeg");
  }
  if (query.epochs != 1) {
    refuse("job.epochs", "each picture is preprocessed once; leave it out");
  }
  if (query.nodes_max > 1) {
    refuse("constraints.nodes_max", "several machines are not modelled; leave it out");
  }
  if (query.preprocess_on != PreprocessChoice::cpu) {
    refuse("data.preprocess_on", "the vCPUs do it; leave it out");
  }
}

void check_preprocessing(const Configuration& asked) {
  if (!parse_picture_format(to_string(asked.data))) {
    throw UsageError(fmt::format("--data {}: preprocessing reads pictures; expected {}",
                                 to_string(asked.data),
                                 picture_formats));
  }
  if (asked.preprocess_on != PreprocessChoice::cpu) {
    throw UsageError("--preprocess-on: of phase preprocess the vCPUs do it; leave it out");
  }
  if (asked.epochs.value_or(1) != 1) {
    throw UsageError(
        "--phase preprocess: each picture is preprocessed once, and the job has epochs");
  }
}

}  // namespace rightsize
