#include "kernels/data/generate_small.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "kernels/data/augment.h"
#include "kernels/data/file.h"
#include "kernels/data/made_folder.h"
#include "kernels/data/small_images.h"
#include "kernels/data/text_source.h"

namespace rightsize {
namespace {

namespace fs = std::filesystem;

using Progress = std::function<void(std::size_t done, std::size_t total)>;
using Pixels = std::vector<std::uint8_t>;

constexpr int digits = 10;
constexpr std::size_t cifar_file_items = 10'000;
constexpr std::size_t report_every = 1'000;

struct Original {
  SmallKind kind;
  std::string_view name;
  std::size_t items;
  int classes;
};

constexpr std::array<Original, 4> originals{{{SmallKind::mnist, "mnist", 60'000, digits},
                                             {SmallKind::cifar, "cifar", 50'000, 10},
                                             {SmallKind::ptb, "ptb", 887'521, 0},
                                             {SmallKind::imdb, "imdb", 25'000, 2}}};

const Original& original_of(SmallKind kind) {
  return *std::find_if(
      originals.begin(), originals.end(), [&](const auto& row) { return row.kind == kind; });
}

int label_of(std::uint64_t seed, std::size_t item, int classes) {
  return static_cast<int>(mix(mix(seed) + item) % static_cast<std::uint64_t>(classes));
}

void append_big_endian(Pixels& bytes, std::uint64_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    bytes.push_back(static_cast<std::uint8_t>(value >> shift));
  }
}

void tell(const Progress& progress, std::size_t done, std::size_t total) {
  if (progress && (done % report_every == 0 || done == total)) {
    progress(done, total);
  }
}

std::uint64_t write_mnist(const SmallOptions& options, const Progress& progress) {
  auto images = File::create(options.directory + "/train-images-idx3-ubyte");
  auto labels = File::create(options.directory + "/train-labels-idx1-ubyte");
  Pixels image_head;
  Pixels label_bytes;
  for (const std::uint64_t value : {std::uint64_t{0x803},
                                    std::uint64_t{options.items},
                                    std::uint64_t{mnist_side},
                                    std::uint64_t{mnist_side}}) {
    append_big_endian(image_head, value);
  }
  append_big_endian(label_bytes, 0x801);
  append_big_endian(label_bytes, options.items);
  images.append(std::as_bytes(std::span(image_head)));
  Pixels pixels(mnist_side * mnist_side);
  for (std::size_t i = 0; i < options.items; ++i) {
    const int digit = label_of(options.seed, i, options.classes);
    paint_digit(options.seed, i, digit, pixels);
    images.append(std::as_bytes(std::span(pixels)));
    label_bytes.push_back(static_cast<std::uint8_t>(digit));
    tell(progress, i + 1, options.items);
  }
  labels.append(std::as_bytes(std::span(label_bytes)));
  images.sync();
  labels.sync();
  return images.size() + labels.size();
}

std::uint64_t write_cifar(const SmallOptions& options, const Progress& progress) {
  std::uint64_t bytes = 0;
  Pixels record(1 + 3 * cifar_side * cifar_side);
  for (std::size_t first = 0; first < options.items; first += cifar_file_items) {
    auto file = File::create(
        fmt::format("{}/data_batch_{}.bin", options.directory, first / cifar_file_items + 1));
    for (std::size_t i = first; i < std::min(first + cifar_file_items, options.items); ++i) {
      const int label = label_of(options.seed, i, options.classes);
      record[0] = static_cast<std::uint8_t>(label);
      paint_object(options.seed, i, label, options.classes, std::span(record).subspan(1));
      file.append(std::as_bytes(std::span(record)));
      tell(progress, i + 1, options.items);
    }
    file.sync();
    bytes += file.size();
  }
  return bytes;
}

SmallOptions completed(SmallOptions options) {
  const auto& original = original_of(options.kind);
  options.items = options.items == 0 ? original.items : options.items;
  options.classes = options.classes == 0 ? original.classes : options.classes;
  const int most = options.kind == SmallKind::mnist ? digits : 256;  // digits; a byte in the file
  if (options.kind != SmallKind::ptb && (options.classes < 1 || options.classes > most)) {
    throw DataError(
        fmt::format("{} classes for {}: 1 to {}", options.classes, original.name, most));
  }
  return options;
}

// Files of a larger set made here before would be read as part of this one.
void prepare_folder(const SmallOptions& options) {
  claim_folder(options.directory);
  try {
    for (int i = 1; fs::remove(fmt::format("{}/data_batch_{}.bin", options.directory, i)); ++i) {
    }
  } catch (const fs::filesystem_error& error) {
    throw write_error(options.directory, 0, error.code().value());
  }
}

}  // namespace

std::optional<SmallKind> parse_small_kind(std::string_view text) {
  for (const auto& row : originals) {
    if (row.name == text) {
      return row.kind;
    }
  }
  return std::nullopt;
}

SmallSummary generate_small(const SmallOptions& given, const Progress& progress) {
  const auto options = completed(given);
  prepare_folder(options);
  SmallSummary summary{options.directory, options.items, 0, std::nullopt};
  TextSummary text;
  switch (options.kind) {
    case SmallKind::mnist:
      summary.bytes = write_mnist(options, progress);
      return summary;
    case SmallKind::cifar:
      summary.bytes = write_cifar(options, progress);
      return summary;
    case SmallKind::ptb:
      summary.path = options.directory + "/ptb.train.txt";
      text = write_word_stream(summary.path, options.items, options.vocabulary, options.seed);
      break;
    case SmallKind::imdb:
      summary.path = options.directory + "/imdb.train.txt";
      text = write_documents(
          summary.path, options.items, options.classes, options.vocabulary, options.seed);
      break;
  }
  summary.bytes = text.bytes;
  summary.source_perplexity = text.source_perplexity;
  return summary;
}

}  // namespace rightsize
