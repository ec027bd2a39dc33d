#include "advisor/suppose/supposed_work.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "advisor/candidate/gpu_preprocessing.h"
#include "advisor/candidate/own_loader.h"
#include "advisor/query/batch_limit.h"
#include "advisor/query/grammars.h"
#include "advisor/query/network_misfit.h"
#include "advisor/query/tuning_words.h"
#include "advisor/suppose/supposed_machine.h"
#include "kernels/engine.h"
#include "kernels/longer_sequence.h"
#include "kernels/network.h"
#include "kernels/networks/detection/detection.h"
#include "kernels/networks/diffusion/diffusion.h"
#include "kernels/networks/encoder_decoder/encoder_decoder.h"
#include "kernels/networks/form_parts.h"
#include "kernels/networks/recommendation/recommendation.h"
#include "kernels/networks/vision_language/vision_language.h"

namespace rightsize {
namespace {

// `network` with its part of that key said so, in place or behind all others.
std::string with_part(const std::string& network, std::string_view key, const std::string& value) {
  std::string result(without_form(network));
  bool said = false;
  for (const auto& part : form_parts(network)) {
    said = said || part.key == key;
    result += part.key == key ? fmt::format(":{}={}", key, value) : fmt::format(":{}", part.text);
  }
  return said ? result : fmt::format("{}:{}={}", result, key, value);
}

// What a part of the network's name is where it is not said; 0: no number.
int usual_number(std::string_view key, const std::string& network) {
  if (const auto* const model = diffusion_model(network)) {
    return key == "steps" ? model->usual.steps : 0;
  }
  if (const auto writer = encoder_decoder(network)) {
    return key == "tokens" ? writer->usual.tokens : key == "beams" ? writer->usual.beams : 0;
  }
  if (is_vision_language(network)) {
    return key == "images" ? 1 : 0;
  }
  const auto* const detector = detection_network(network);
  return detector != nullptr && key == "size" ? detector->size : 0;
}

// "x2", "+16" and "-20%" are of what the name says, or of what is usual; all else stays as it is.
std::string part_value(const std::string& network, std::string_view key, const std::string& value) {
  const bool relative = value.find_first_of("+-") == 0 || value.starts_with('x') ||
                        value.ends_with('x') || value.ends_with('%');
  double now = usual_number(key, network);
  if (!relative || now == 0) {
    return value;
  }
  constexpr int most = 1 << 20;
  for (const auto& part : form_parts(network)) {
    now = part.key == key ? form_number(part.value, most) : now;
  }
  const double exact = Change::parse(std::string(key), value).of(now);
  constexpr double rounding = 1e-9;  // 50 x 1.1 is not quite 55
  const double then =
      std::abs(exact - std::round(exact)) < rounding * now ? std::round(exact) : exact;
  if (!(then >= 1) || then > most || then != std::floor(then)) {
    throw UsageError(
        fmt::format("{}={}: {:g} is no whole number, or none it can be", key, value, then));
  }
  return fmt::format("{:.0f}", then);
}

[[noreturn]] void refuse_part(std::string_view key, const std::string& value, const Query& query) {
  throw UsageError(fmt::format(
      "{}={}: {}",
      key,
      value,
      query.tokens ? "of what writes tokens say prompt-tokens=, output-tokens= or weights="
                   : fmt::format("the name of {} has no such part; those of networks that make "
                                 "pictures or texts, or find objects, have (a recommender's, of "
                                 "other tables, are said in the job)",
                                 query.network)));
}

void suppose_form(const Supposition& supposition, Query& query) {
  const std::array<std::pair<std::string_view, const std::string*>, 7> parts{
      {{"tokens", &supposition.tokens},
       {"beams", &supposition.beams},
       {"steps", &supposition.steps},
       {"size", &supposition.size},
       {"images", &supposition.images},
       {"guidance", &supposition.guidance},
       {"weights", &supposition.weights}}};
  for (const auto& [key, value] : parts) {
    if (value->empty() || (key == "weights" && !weights_are_of_name(query))) {
      continue;
    }
    if (!takes_parts(query.network)) {
      refuse_part(key, *value, query);
    }
    query.network = with_part(query.network, key, part_value(query.network, key, *value));
  }
}

void suppose_precision(const std::string& precision, Query& query) {
  if (precision.empty()) {
    return;
  }
  const auto parsed = parse_precision(precision);
  if (!parsed) {
    throw UsageError(
        fmt::format("precision={}: expected {}", precision, std::string(precision_grammar)));
  }
  query.precision = *parsed;
}

// Who resizes and normalises the pictures that are read.
void suppose_preprocessing(const std::string& where, Query& query) {
  if (where.empty()) {
    return;
  }
  const auto parsed = parse_preprocess_choice(where);
  if (!parsed) {
    throw UsageError(fmt::format("preprocess-on={}: expected {}", where, preprocess_grammar));
  }
  if (query.phase == Phase::preprocess || is_program_loader(query.loader) ||
      !gpu_preprocesses(query.format)) {
    throw UsageError(fmt::format(
        "preprocess-on={}: this job reads no pictures whose loader could leave them to a GPU",
        where));
  }
  query.preprocess_on = *parsed;
}

void suppose_sequence(const std::optional<Change>& change, Query& query) {
  if (!change) {
    return;
  }
  if (query.tokens || query.writing.of_texts()) {
    throw UsageError("sequence: of what writes tokens say prompt-tokens or output-tokens");
  }
  const auto network = make_network(query.network, query.sequence, query.phase);
  if (!network.reads_tokens() || is_recommendation(query.network)) {
    throw UsageError(fmt::format("sequence: {} reads no tokens", query.network));
  }
  const double now =
      static_cast<double>(query.sequence > 0 ? query.sequence : network.input.positions());
  const double then = change->of(now);
  constexpr double most = 1 << 24;
  if (!(then >= 1) || then > most || then != std::floor(then)) {
    throw UsageError(fmt::format("sequence: {:g} is no whole number of tokens", then));
  }
  query.sequence = static_cast<int>(then);
  if (query.format == DataFormat::tokens) {
    query.dataset_bytes =
        static_cast<std::uint64_t>(static_cast<double>(query.dataset_bytes) * then / now);
  }
}

// What is accumulated, and a GPU's part of a shared copy, are worked out from it.
void suppose_update(const std::optional<Change>& change, Query& query) {
  if (!change) {
    return;
  }
  if (query.global_batch == 0 && !change->sets()) {
    throw UsageError("global-batch: the job says none: set it, as global-batch=1024");
  }
  const double then = change->of(query.global_batch);
  if (then != std::floor(then) || !is_global_batch(static_cast<std::int64_t>(then))) {
    throw UsageError(fmt::format("global-batch={:g}: expected {}", then, global_batch_grammar));
  }
  query.global_batch = static_cast<int>(then);
  query.accumulate = 1;
  if (query.gpus_per_copy() > 1) {
    query.batches.clear();
  }
}

// How many GPUs share each expert; those that share the other layers remain.
void suppose_experts(const std::optional<Change>& change, Query& query) {
  if (!change) {
    return;
  }
  const double then = change->of(query.gpus_per_expert());
  if (!(then >= 1) || then > query.tensor_parallel || then != std::floor(then)) {
    throw UsageError(fmt::format(
        "expert-tensor-parallel={:g}: expected GPUs from 1 to the {} of tensor_parallel",
        then,
        query.tensor_parallel));
  }
  query.expert_tensor_parallel = static_cast<int>(then);
  auto misfit = sharing_misfit(query);
  if (!misfit) {
    misfit = network_misfit(make_network(query.network, query.sequence, query.phase), query);
  }
  if (misfit) {
    throw UsageError(
        fmt::format("expert-tensor-parallel={:g}: expected {}", then, misfit->expected));
  }
}

constexpr double most_items = 1e15;
constexpr double most_bytes = 1e18;
constexpr double most_epochs = 1e9;

// As many bytes each as now.
void suppose_items(const Change& change, Query& query) {
  if (query.items == 0) {
    throw UsageError("items: this job has none");
  }
  const double now = static_cast<double>(query.items);
  const double then = std::round(change.of(now));
  if (!(then >= 1) || then > most_items) {
    throw UsageError(fmt::format("items: {:g} is no number from 1 to {:g}", then, most_items));
  }
  const double bytes = static_cast<double>(query.dataset_bytes) * then / now;
  if (bytes > most_bytes) {
    throw UsageError(
        fmt::format("items: {:g} of them have more bytes than {:g}", then, most_bytes));
  }
  query.items = static_cast<std::uint64_t>(then);
  query.dataset_bytes = static_cast<std::uint64_t>(bytes);
}

void suppose_amount(const Supposition& supposition, Query& query) {
  if (!supposition.of_amount()) {
    return;
  }
  if (query.serves()) {
    throw UsageError("items, epochs: a service works through none; what it is asked is qps");
  }
  if (supposition.items) {
    suppose_items(*supposition.items, query);
  }
  if (supposition.epochs) {
    query.epochs = positive("epochs", supposition.epochs->of(query.epochs), query.epochs);
    if (query.epochs > most_epochs) {
      throw UsageError(fmt::format("epochs: {:g} are more than {:g}", query.epochs, most_epochs));
    }
  }
  if (query.epochs * static_cast<double>(query.items) < 1) {
    throw UsageError("epochs: not one item is worked through");
  }
}

}  // namespace

bool weights_are_of_name(const Query& query) {
  return !query.tokens && query.phase == Phase::infer && takes_parts(query.network);
}

Query supposed_work(const Supposition& supposition, Query query) {
  try {
    suppose_amount(supposition, query);
    suppose_precision(supposition.precision, query);
    suppose_preprocessing(supposition.preprocess_on, query);
    suppose_sequence(supposition.sequence, query);
    suppose_update(supposition.global_batch, query);
    suppose_experts(supposition.expert_tensor, query);
    suppose_form(supposition, query);
    static_cast<void>(make_network(query.network, query.sequence, query.phase));
  } catch (const EngineError& error) {
    throw UsageError(error.what());
  }
  if (const auto misfit = tuning_misfit(query); misfit && supposition.of_work()) {
    throw UsageError(fmt::format("{}: expected {}", misfit->key, misfit->expected));
  }
  return query;
}

}  // namespace rightsize
