#include "advisor/query/query_data.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/candidate/own_loader.h"
#include "advisor/candidate/preprocessing.h"
#include "advisor/query/grammars.h"
#include "advisor/query/job_keys.h"
#include "advisor/query/job_work.h"
#include "advisor/query/picture_words.h"
#include "advisor/query/query_service.h"
#include "kernels/longer_sequence.h"
#include "kernels/networks/diffusion/diffusion.h"
#include "kernels/networks/encoder_decoder/encoder_decoder.h"
#include "kernels/networks/program.h"
#include "kernels/networks/recommendation/recommendation.h"
#include "kernels/work.h"

namespace rightsize {
namespace {

constexpr std::int64_t small_pixels = 64 * 64;  // of MNIST's and CIFAR's pictures, as networks cut

// "one of synthetic, jpeg, ..."
std::string known_formats() {
  std::vector<std::string_view> names;
  for (int format = 0; format <= static_cast<int>(DataFormat::tokens); ++format) {
    names.push_back(to_string(static_cast<DataFormat>(format)));
  }
  return fmt::format("one of {}", fmt::join(names, ", "));
}

// Formats that others have, and what is known here that is read and decoded as they are.
std::string stand_in_for(std::string_view format) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> alike{{
      {"webdataset", "tfrecord is read alike: files of many items, one after another"},
      {"wds", "tfrecord is read alike: files of many items, one after another"},
      {"tar", "tfrecord is read alike: files of many items, one after another"},
      {"parquet", "tfrecord is read alike, where items are read in the order of their files"},
      {"arrow", "tfrecord is read alike, where items are read in the order of their files"},
      {"mds", "recordio is read alike: an index and any order"},
      {"ffcv", "recordio is read alike, where its pictures are JPEG"},
      {"png",
       "jpeg is read alike, a file an item; PNG takes a CPU longer to decode, so profile "
       "your loader and name it: loader = \"load.py\""},
      {"video", "none decodes it; profile your loader and name it: loader = \"load.py\""},
  }};
  const auto found = std::find_if(
      alike.begin(), alike.end(), [&](const auto& one) { return one.first == format; });
  return found == alike.end() ? "" : fmt::format("; of {} {}", format, found->second);
}

bool reads(const Network& network, DataFormat format) {
  if (program_named(network.name)) {
    return true;
  }
  const bool small = network.input.positions() < small_pixels;
  switch (format) {
    case DataFormat::tokens:
      return network.reads_tokens();
    case DataFormat::mnist:
      return reads_pictures(network) && small && network.input.c == 1;
    case DataFormat::cifar:
      return reads_pictures(network) && small && network.input.c == 3;
    case DataFormat::jpeg:
      return reads_pictures(network);
    case DataFormat::recordio:
    case DataFormat::lmdb:
    case DataFormat::tfrecord:
      return !network.hears() &&
             !looks_up_tables(network);  // records hold what their writer put into them
    case DataFormat::synthetic:
      break;
  }
  return true;
}

std::string formats_read(const Network& network, const std::string& name) {
  if (looks_up_tables(network)) {
    return fmt::format(
        "what {} reads, which is samples of whole numbers in binary records: tokens or synthetic; "
        "what other files of them take is not known here",
        name);
  }
  if (network.reads_tokens()) {
    return fmt::format(
        "what {} reads, which is tokens: tokens, or recordio, lmdb, tfrecord or "
        "synthetic",
        name);
  }
  const auto& input = network.input;
  if (network.hears()) {
    return fmt::format(
        "synthetic: {} is handed the spectra of sounds; what reading and decoding sound files "
        "takes is not known here",
        name);
  }
  if (is_denoiser(network)) {
    return fmt::format(
        "what {} reads, which is latents of {}x{}x{}, made of pictures beforehand: recordio, lmdb, "
        "tfrecord or synthetic",
        name,
        input.c,
        input.h,
        input.w);
  }
  const bool small = input.positions() < small_pixels;
  return fmt::format(
      "what {} reads, which is pictures of {}x{}x{}: {}jpeg, recordio, lmdb, "
      "tfrecord or synthetic",
      name,
      input.c,
      input.h,
      input.w,
      !small         ? ""
      : input.c == 1 ? "mnist, "
                     : "cifar, ");
}

void refuse_unread(const TomlFields& data, const Query& query) {
  const auto network = make_network(query.network, query.sequence, query.phase);
  if (!reads(network, query.format)) {
    data.fail("format", formats_read(network, query.network));
  }
}

// Where nothing is said. A prompt is a line of text, whatever it is read from; sounds come as
// spectra, and texts that are learned from as ids. Of pictures the usual stays.
DataFormat usual_format(TomlFields& data, const Query& query) {
  if (program_named(query.network) && !data.has("bytes")) {
    return DataFormat::synthetic;  // it reads nothing to speak of
  }
  if (hears(query.network) || (query.phase == Phase::decode && !data.has("bytes")) ||
      (reads_prompts(query.network) && !data.has("bytes"))) {
    return DataFormat::synthetic;
  }
  const bool of_texts = has_network(query) && !query.serves() && !reads_prompts(query.network) &&
                        make_network(query.network, query.sequence, query.phase).reads_tokens();
  return of_texts ? DataFormat::tokens : query.format;
}

void read_format(TomlFields& data, Query& query) {
  const auto format = data.text("format");
  if (!format) {
    query.format = usual_format(data, query);
    return;
  }
  const auto parsed = parse_data_format(*format);
  if (!parsed) {
    data.fail("format", known_formats() + stand_in_for(*format));
  }
  query.format = *parsed;
  if (query.phase != Phase::preprocess && !query.serves()) {  // which have words of their own
    refuse_unread(data, query);
  }
}

void read_bytes(TomlFields& data, Query& query) {
  const auto bytes = data.text("bytes", "a size in quotes such as \"140 GB\"");
  if (!bytes && query.format == DataFormat::tokens) {
    const auto network = make_network(query.network, query.sequence, query.phase);
    query.dataset_bytes =
        query.items * (looks_up_tables(network) ? sample_bytes(network) : token_bytes(network));
    return;
  }
  if (!bytes && query.format != DataFormat::synthetic) {
    data.fail("bytes", "the size of the data set on disk, such as \"140 GB\"");
  }
  if (!bytes) {
    return;
  }
  try {
    query.dataset_bytes = parse_size(*bytes, "bytes");
  } catch (const UsageError&) {  // which knows no line
    data.fail("bytes",
              "a size with its unit, such as \"140GB\" or \"512MiB\": B, kB, MB, GB, TB, KiB, MiB, "
              "GiB or TiB, and less than a million TB");
  }
  if (query.dataset_bytes < query.items && query.format != DataFormat::synthetic) {
    data.fail(
        "bytes",
        fmt::format("the size of the whole data set, a byte at least for each of its {} items",
                    query.items));
  }
}

bool writes_items(const Query& query) {
  return query.phase == Phase::decode && !query.tokens;
}

// What is read and written of each item; tokens alone where neither is said.
void read_texts(TomlFields& data, Query& query) {
  if (!data.has("prompt_tokens") && !data.has("output_tokens")) {
    for (const auto* key : {"images", "image_size"}) {
      if (data.has(key)) {
        data.fail(key, "prompt_tokens and output_tokens beside it: pictures are of prompts");
      }
    }
    return;
  }
  if (query.sequence > 0) {
    data.fail("prompt_tokens",
              "no sequence under [job] beside it: a text is as long as prompt_tokens and "
              "output_tokens are together");
  }
  query.writing.prompt_tokens = token_count(data, "prompt_tokens") + read_pictures(data, query);
  query.writing.output_tokens = token_count(data, "output_tokens");
  query.sequence = query.writing.prompt_tokens + query.writing.output_tokens;
}

// Which there is, the model knows (own_loader.h).
void read_loader(TomlFields& data, Query& query) {
  const auto said = data.text("loader").value_or("");
  query.loader = bare_program(said);
  if (!data.has("loader")) {
    return;
  }
  if (query.loader.empty()) {
    data.fail("loader", std::string(loader_grammar));
  }
  if (program_named(query.network)) {
    data.fail("loader", "no loader beside a program of your own, which loads its items itself");
  }
  if (const auto why = why_no_loader(query.phase, query.format, query.serves()); !why.empty()) {
    data.fail("loader", "no loader, as " + why);
  }
  if (is_program_loader(query.loader) && query.preprocess_on != PreprocessChoice::cpu) {
    data.fail("preprocess_on", "\"cpu\" beside a loader of your own, which prepares all itself");
  }
}

}  // namespace

std::string why_unread(const Network& network, const std::string& name, DataFormat format) {
  return reads(network, format)
             ? ""
             : fmt::format(
                   "data \"{}\": expected {}", to_string(format), formats_read(network, name));
}

void read_data(TomlFields data, Query& query) {
  data.expect({"items", "format", "bytes", "shuffle", "at", "preprocess_on", "loader"});
  if (query.phase == Phase::preprocess) {
    data.expect({"writes"});
  }
  if (writes_items(query)) {
    data.expect({"prompt_tokens", "output_tokens", "images", "image_size"});
  }
  data.reject_unknown(where_key_belongs);
  const auto items = data.integer("items");
  if (!items || *items < 1) {
    data.fail("items", "the number of items (images, sequences), at least 1");
  }
  query.items = static_cast<std::uint64_t>(*items);
  if (writes_items(query)) {
    read_texts(data, query);
  }
  read_format(data, query);
  read_bytes(data, query);
  if (query.phase == Phase::preprocess) {
    const auto writes = parse_picture_format(data.text("writes").value_or("lmdb"));
    if (!writes) {
      data.fail("writes", picture_formats);
    }
    query.writes = *writes;
  }
  // Samples of a recommender and ids of tokens are shuffled by blocks, which are read in sequence.
  query.shuffle = data.boolean("shuffle").value_or(true) && query.format != DataFormat::tokens &&
                  !is_recommendation(query.network);
  query.data_at = data.text("at").value_or("");
  if (const auto where = data.text("preprocess_on")) {
    const auto parsed = parse_preprocess_choice(*where);
    if (!parsed) {
      data.fail("preprocess_on", preprocess_grammar);
    }
    query.preprocess_on = *parsed;
  }
  read_loader(data, query);
}

std::uint64_t token_bytes(const Network& network) {
  return static_cast<std::uint64_t>(network.input.positions()) * sizeof(std::int32_t);
}

void refuse_no_item(TomlFields job, const Query& query) {
  const auto items = static_cast<double>(query.items);
  if (job.has("epochs") && query.epochs * items < 1) {
    job.fail(
        "epochs",
        fmt::format(
            "a number of at least {:.2g}, one of the {} items of [data]", 1 / items, query.items));
  }
}

}  // namespace rightsize
