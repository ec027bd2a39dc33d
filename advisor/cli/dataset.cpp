#include "kernels/data/dataset.h"

#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/cli/command.h"
#include "advisor/cli/progress.h"
#include "advisor/query/usage_error.h"
#include "advisor/report/table.h"
#include "advisor/report/units.h"
#include "kernels/data/generate.h"
#include "kernels/data/generate_small.h"
#include "kernels/data/jpeg_folder.h"
#include "kernels/data/tokens.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

// MNIST-, CIFAR-, PTB- and IMDb-like.
int make_small(Context& context, const Values& values, const std::string& path, SmallKind kind) {
  const auto given = [&](const char* option) { return !values[option].defaulted(); };
  SmallOptions options;
  options.kind = kind;
  options.directory = path;
  if (values["items"].as<std::size_t>() < 1) {
    throw UsageError("--items must be at least 1");
  }
  options.items = given("items") ? values["items"].as<std::size_t>() : 0;
  options.classes = given("classes") ? values["classes"].as<int>() : 0;
  options.vocabulary = values["vocabulary"].as<int>();
  options.seed = values["seed"].as<std::uint64_t>();
  ProgressLine progress(context.err, context.err_is_terminal);
  const auto summary = generate_small(options, [&](std::size_t done, std::size_t total) {
    progress.show(fmt::format(" [{}/{}] items", done, total));
  });
  progress.clear();
  report::Table table({{"data set"},
                       {"items", report::Align::right},
                       {"on disk", report::Align::right},
                       {"source perplexity", report::Align::right}});
  table.add({summary.path,
             report::count(summary.items),
             report::bytes(static_cast<double>(summary.bytes)),
             summary.source_perplexity ? report::digits(*summary.source_perplexity) : "—"});
  const auto format = output_format(values, {"table", "json", "csv", "md"});
  emit(context, values, report::rendered(table, format, context.out_style));
  return exit_ok;
}

int make(Context& context, const Values& values, const std::string& path) {
  const auto kind_name = values["kind"].as<std::string>();
  if (const auto kind = parse_small_kind(kind_name)) {
    return make_small(context, values, path, *kind);
  }
  if (kind_name != "imagenet") {
    throw UsageError(
        fmt::format("--kind {}: expected imagenet, mnist, cifar, ptb or imdb", kind_name));
  }
  GenerateOptions options;
  options.directory = path;
  options.items = values["items"].as<std::size_t>();
  options.classes = values["classes"].as<int>();
  options.seed = values["seed"].as<std::uint64_t>();
  options.threads = values["threads"].as<int>();
  if (options.items < 1 || options.classes < 1 || options.threads < 1) {
    throw UsageError("--items, --classes and --threads must be at least 1");
  }
  ProgressLine progress(context.err, context.err_is_terminal);
  const auto summary = generate_imagenet_like(options, [&](std::size_t done, std::size_t total) {
    progress.show(fmt::format(" [{}/{}] images", done, total));
  });
  progress.clear();
  const auto format = output_format(values, {"table", "json", "csv", "md"});
  report::Table table({{"data set"},
                       {"images", report::Align::right},
                       {"mean JPEG", report::Align::right},
                       {"JPEG", report::Align::right},
                       {"RecordIO", report::Align::right},
                       {"LMDB", report::Align::right}});
  const auto size = [](std::uint64_t bytes) { return report::bytes(static_cast<double>(bytes)); };
  table.add({path,
             report::count(summary.items),
             fmt::format("{:.1f} kB", summary.mean_jpeg_bytes / 1e3),
             size(summary.jpeg_bytes),
             size(summary.recordio_bytes),
             size(summary.lmdb_bytes)});
  emit(context, values, report::rendered(table, format, context.out_style));
  return exit_ok;
}

DataFormat format_of(const std::string& path) {
  const fs::path place(path);
  if (place.extension() == ".rec") {
    return DataFormat::recordio;
  }
  if (place.extension() == ".tfrecord") {
    return DataFormat::tfrecord;
  }
  if (fs::is_regular_file(place)) {
    return DataFormat::tokens;
  }
  if (fs::exists(place / "data.mdb")) {
    return DataFormat::lmdb;
  }
  for (const auto* name : {"train-images-idx3-ubyte", "train-images-idx3-ubyte.gz"}) {
    if (fs::exists(place / name)) {
      return DataFormat::mnist;
    }
  }
  const bool cifar = fs::exists(place / "data_batch_1.bin") || fs::exists(place / "train.bin");
  return cifar ? DataFormat::cifar : DataFormat::jpeg;
}

bool is_data_set(const std::string& path) {
  const auto format = format_of(path);
  return format == DataFormat::jpeg ? is_jpeg_folder(path) : format != DataFormat::tokens;
}

// Of a folder that is none: the data sets in it, as `make` writes several side by side.
void name_data_sets_in(const std::string& path) {
  std::set<std::string> inside;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path, error)) {
    if (is_data_set(entry.path().string())) {
      inside.insert(entry.path().string());
    }
  }
  if (!inside.empty()) {
    throw UsageError(
        fmt::format("{} is a folder with data sets: inspect {}", path, fmt::join(inside, " or ")));
  }
}

// As one long row of ids: which network will read it in which pieces is not known here.
int inspect_tokens(Context& context, const Values& values, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(9, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  TokenOptions options;
  options.vocabulary = std::numeric_limits<std::uint16_t>::max() + 1;
  options.sequence = 1;
  options.labels_each = head != "__label__";
  const auto dataset = open_tokens(path, options);
  report::Table table({{"data set"},
                       {"format"},
                       {"items", report::Align::right},
                       {"vocabulary", report::Align::right},
                       {"on disk", report::Align::right},
                       {"labels", report::Align::right}});
  table.add({path,
             options.labels_each ? "token stream" : "documents",
             report::count(dataset->size()),
             report::count(static_cast<std::size_t>(dataset->vocabulary())),
             report::bytes(static_cast<double>(dataset->stored_bytes())),
             dataset->classes() > 0 ? fmt::format("{}", dataset->classes()) : "next token"});
  const auto output = output_format(values, {"table", "json", "csv", "md"});
  emit(context, values, report::rendered(table, output, context.out_style));
  return exit_ok;
}

// What the first items of a data set tell of all.
struct FirstItems {
  std::size_t count = 0;
  std::uint64_t bytes = 0;
  std::map<std::int32_t, std::size_t> labels;
  std::string encoding = "—";  // of the first
};

FirstItems first_items(const Dataset& dataset) {
  FirstItems first;
  first.count = std::min<std::size_t>(dataset.size(), 1000);
  std::vector<std::byte> storage;
  for (std::size_t i = 0; i < first.count; ++i) {
    const auto sample = dataset.read(i, storage);
    first.bytes += sample.bytes.size();
    ++first.labels[sample.label];
    if (i == 0) {
      first.encoding =
          sample.encoding == Encoding::jpeg
              ? "JPEG"
              : fmt::format("raw {}x{}x{}", sample.channels, sample.height, sample.width);
    }
  }
  return first;
}

int inspect(Context& context, const Values& values, const std::string& path) {
  for (const auto* name : {"ptb.train.txt", "imdb.train.txt"}) {  // what make put into a folder
    if (fs::exists(fs::path(path) / name)) {
      return inspect_tokens(context, values, (fs::path(path) / name).string());
    }
  }
  const auto format = format_of(path);
  if (format == DataFormat::tokens) {
    return inspect_tokens(context, values, path);
  }
  if (format == DataFormat::jpeg && !is_jpeg_folder(path)) {
    name_data_sets_in(path);
  }
  const auto dataset = open_dataset(format, path);
  const auto first = first_items(*dataset);
  const double bytes_each =
      first.count == 0 ? 0.0 : static_cast<double>(first.bytes) / static_cast<double>(first.count);
  const auto output = output_format(values, {"table", "json", "csv", "md"});
  report::Table table({{"data set"},
                       {"format"},
                       {"items", report::Align::right},
                       {"encoding"},
                       {"on disk", report::Align::right},
                       {"per item", report::Align::right},
                       {"labels", report::Align::right}});
  table.add({path,
             std::string(to_string(format)),
             report::count(dataset->size()),
             first.encoding,
             report::bytes(static_cast<double>(dataset->stored_bytes())),
             report::bytes(bytes_each),
             fmt::format("{}{}", first.labels.size(), first.count < dataset->size() ? "+" : "")});
  emit(context, values, report::rendered(table, output, context.out_style));
  return exit_ok;
}

}  // namespace

int run_dataset(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  add_output_options(options);
  options.add_options()("what", po::value<std::string>(), "make or inspect")(
      "path", po::value<std::string>(), "folder to make, or file or folder to look into")(
      "kind",
      po::value<std::string>()->default_value("imagenet"),
      "make: imagenet, mnist, cifar, ptb or imdb (like it, in the original's files)")(
      "items",
      po::value<std::size_t>()->default_value(1000),
      "make: images, documents or words; small kinds: as many as the original has")(
      "vocabulary", po::value<int>()->default_value(10'000), "make: words of ptb and imdb")(
      "classes", po::value<int>()->default_value(10), "make: classes")(
      "seed", po::value<std::uint64_t>()->default_value(1), "make: the same seed, the same bytes")(
      "threads", po::value<int>()->default_value(2), "make: worker threads");
  const auto values = parse(context, "dataset", options, {"what", "path"}, arguments);
  if (values.count("what") == 0 || values.count("path") == 0) {
    throw UsageError("usage: rightsize dataset make|inspect PATH");
  }
  const auto what = values["what"].as<std::string>();
  const auto path = values["path"].as<std::string>();
  if (what == "make") {
    return make(context, values, path);
  }
  if (what == "inspect") {
    try {
      return inspect(context, values, path);
    } catch (const DataError& error) {  // no data set, or a damaged one
      throw UsageError(error.what());
    }
  }
  throw UsageError(fmt::format("dataset {}: expected make or inspect", what));
}

}  // namespace rightsize::cli
