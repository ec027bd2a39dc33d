#include "kernels/data/generate.h"

#include <filesystem>
#include <optional>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "kernels/data/augment.h"
#include "kernels/data/image_writer.h"
#include "kernels/data/made_folder.h"
#include "kernels/data/manifest.h"
#include "kernels/data/ordered_buffer.h"
#include "kernels/data/scene.h"

namespace rightsize {

namespace {

namespace fs = std::filesystem;

constexpr int jpeg_quality = 95;
constexpr int lmdb_side = 256;
constexpr std::uint64_t typical_jpeg_bytes = 115'000;
constexpr std::uint64_t typical_datum_bytes = 3 * lmdb_side * lmdb_side + 4096;

struct Slot {
  std::vector<std::byte> jpeg;
  std::vector<std::byte> planes;
};

int label_of(const GenerateOptions& options, std::size_t item) {
  return static_cast<int>(mix(mix(options.seed) + item) %
                          static_cast<std::uint64_t>(options.classes));
}

// Where the formats of `options` are written, one after the other for each item, by one thread.
// Those of `promised` that `options` leaves out are there already, and stay.
class Output {
 public:
  Output(const GenerateOptions& options, const std::optional<GenerateSummary>& promised)
      : options_(options), summary_(promised.value_or(GenerateSummary{})) {
    summary_.items = 0;
    summary_.jpeg_bytes = options.jpeg ? 0 : summary_.jpeg_bytes;
    prepare_folder(promised.has_value());
    if (options.recordio) {
      records_.emplace(options.directory + "/train.rec");
    }
    if (options.lmdb) {
      lmdb_ = std::make_unique<LmdbWriter>(options.directory + "/train.lmdb");
    }
  }

  void put(std::size_t item, const Slot& slot) {
    const int label = label_of(options_, item);
    const auto name = fmt::format("{:08}.jpg", item);
    if (options_.jpeg) {
      File::create(fmt::format("{}/jpeg/class_{:04}/{}", options_.directory, label, name))
          .append(slot.jpeg);
      summary_.jpeg_bytes += slot.jpeg.size();
    }
    if (records_) {
      records_->put(slot.jpeg, static_cast<float>(label));
    }
    if (lmdb_) {
      lmdb_->put({slot.planes, Encoding::raw_chw, label, 3, lmdb_side, lmdb_side}, name);
    }
    all_jpeg_bytes_ += slot.jpeg.size();
    ++summary_.items;
  }

  GenerateSummary finish() {
    if (records_) {
      records_->sync();
      summary_.recordio_bytes = records_->bytes_written();
    }
    if (lmdb_) {
      lmdb_->commit();
      summary_.lmdb_bytes = fs::file_size(options_.directory + "/train.lmdb/data.mdb");
    }
    summary_.mean_jpeg_bytes =
        static_cast<double>(all_jpeg_bytes_) / static_cast<double>(summary_.items);
    return summary_;
  }

 private:
  // What an unfinished or different run left behind goes first: never a mixture.
  void prepare_folder(bool keep_others) {
    claim_folder(options_.directory, has_manifest(options_.directory));
    try {
      const auto remove = [&](const char* name, bool is_written) {
        if (is_written || !keep_others) {
          fs::remove_all(fs::path(options_.directory) / name);
        }
      };
      remove("manifest.json", true);
      remove("jpeg", options_.jpeg);
      remove("train.rec", options_.recordio);
      remove("train.idx", options_.recordio);
      remove("train.lmdb", options_.lmdb);
      for (int label = 0; options_.jpeg && label < options_.classes; ++label) {
        fs::create_directories(fmt::format("{}/jpeg/class_{:04}", options_.directory, label));
      }
    } catch (const fs::filesystem_error& error) {
      throw write_error(options_.directory, 0, error.code().value());
    }
    const auto per_item = (options_.jpeg ? typical_jpeg_bytes : 0) +
                          (options_.recordio ? typical_jpeg_bytes : 0) +
                          (options_.lmdb ? typical_datum_bytes : 0);
    require_space(options_.directory, per_item * options_.items);
  }

  const GenerateOptions& options_;
  std::optional<RecordWriter> records_;
  std::unique_ptr<LmdbWriter> lmdb_;
  GenerateSummary summary_;
  std::uint64_t all_jpeg_bytes_ = 0;
};

void work(const GenerateOptions& options,
          const ScenePainter& painter,
          OrderedBuffer<Slot>& buffer,
          const std::stop_token& stop) {
  JpegEncoder encoder;
  ImageConverter converter(DataFormat::lmdb, lmdb_side);
  std::vector<std::uint8_t> pixels;
  while (const auto claim = buffer.claim(stop)) {
    std::exception_ptr error;
    try {
      auto& slot = *claim->slot;
      const auto picture = painter.paint(claim->ticket, label_of(options, claim->ticket), pixels);
      const auto jpeg = encoder.encode(picture, jpeg_quality);
      slot.jpeg.assign(jpeg.begin(), jpeg.end());
      if (options.lmdb) {  // from the JPEG, as Caffe would: its losses belong to the data
        converter.convert({slot.jpeg, Encoding::jpeg, 0, 3, 0, 0}, slot.planes);
      }
    } catch (...) {
      error = std::current_exception();
    }
    if (!buffer.publish(*claim, error, stop) || error) {
      return;
    }
  }
}

using Progress = std::function<void(std::size_t done, std::size_t total)>;

void make_all(const GenerateOptions& options, Output& output, const Progress& progress) {
  const ScenePainter painter(options.seed, options.classes);
  const auto threads = static_cast<std::size_t>(options.threads);
  OrderedBuffer<Slot> buffer(2 * threads, threads, Slot{});
  buffer.set_end(options.items);
  std::vector<std::jthread> workers;
  for (std::size_t i = 0; i < threads; ++i) {
    workers.emplace_back(
        [&](const std::stop_token& stop) { work(options, painter, buffer, stop); });
  }
  for (std::size_t item = 0; item < options.items; ++item) {
    output.put(item, buffer.take());
    if (progress) {
      progress(item + 1, options.items);
    }
  }
}

}  // namespace

GenerateSummary generate_imagenet_like(
    const GenerateOptions& options,
    const std::function<void(std::size_t done, std::size_t total)>& progress) {
  if (options.items < 1 || options.classes < 1 || options.threads < 1) {
    throw DataError(fmt::format("items {}, classes {}, threads {}: each must be at least 1",
                                options.items,
                                options.classes,
                                options.threads));
  }
  const auto promised = read_manifest(options);
  const auto missing = promised ? missing_of(options, *promised) : options;
  if (promised && !missing.jpeg && !missing.recordio && !missing.lmdb) {
    return *promised;
  }
  Output output(missing, promised);
  make_all(missing, output, progress);
  const auto summary = output.finish();
  write_manifest(options, summary);
  return summary;
}

}  // namespace rightsize
