#include "kernels/workload.h"

#include <array>
#include <utility>

#include <boost/json.hpp>

namespace rightsize {
namespace {

template <typename Enum, std::size_t Size>
using Words = std::array<std::pair<Enum, std::string_view>, Size>;

constexpr Words<Phase, 6> phases{{{Phase::train, "train"},
                                  {Phase::forward, "forward"},
                                  {Phase::forward_backward, "forward_backward"},
                                  {Phase::infer, "infer"},
                                  {Phase::decode, "decode"},
                                  {Phase::preprocess, "preprocess"}}};
constexpr Words<Precision, 5> precisions{{{Precision::fp32, "fp32"},
                                          {Precision::tf32, "tf32"},
                                          {Precision::fp16, "fp16"},
                                          {Precision::bf16, "bf16"},
                                          {Precision::fp8, "fp8"}}};
constexpr Words<EngineKind, 3> engines{
    {{EngineKind::cpu, "cpu"}, {EngineKind::gpu, "gpu"}, {EngineKind::replay, "replay"}}};
constexpr Words<DataFormat, 8> formats{{{DataFormat::synthetic, "synthetic"},
                                        {DataFormat::jpeg, "jpeg"},
                                        {DataFormat::recordio, "recordio"},
                                        {DataFormat::lmdb, "lmdb"},
                                        {DataFormat::tfrecord, "tfrecord"},
                                        {DataFormat::mnist, "mnist"},
                                        {DataFormat::cifar, "cifar"},
                                        {DataFormat::tokens, "tokens"}}};

// The first word of each is its own; the others are read.
constexpr Words<Exchange, 6> exchanges{{{Exchange::local, "local"},
                                        {Exchange::device, "device"},
                                        {Exchange::nccl, "nccl"},
                                        {Exchange::sharded, "sharded"},
                                        {Exchange::sharded, "fsdp"},
                                        {Exchange::sharded, "zero3"}}};
constexpr Words<Compression, 2> compressions{
    {{Compression::none, "none"}, {Compression::two_bit, "2bit"}}};
constexpr Words<PreprocessOn, 2> preprocessors{
    {{PreprocessOn::cpu, "cpu"}, {PreprocessOn::gpu, "gpu"}}};

template <typename Table, typename Enum>
std::string_view word_of(const Table& table, Enum value) {
  for (const auto& [key, word] : table) {
    if (key == value) {
      return word;
    }
  }
  return "unknown";
}

template <typename Enum, std::size_t Size>
std::optional<Enum> value_of(const Words<Enum, Size>& table, std::string_view text) {
  for (const auto& [key, word] : table) {
    if (word == text) {
      return key;
    }
  }
  return std::nullopt;
}

template <typename Enum>
Enum required(std::optional<Enum> value, std::string_view field, std::string_view text) {
  if (!value) {
    throw std::runtime_error("workload." + std::string(field) + " = \"" + std::string(text) +
                             "\": not a value this version knows");
  }
  return *value;
}

template <typename Number>
Number number_of(const boost::json::object& object, std::string_view field) {
  const auto* value = object.if_contains(field);
  boost::system::error_code error;
  const auto number = value != nullptr ? value->to_number<Number>(error) : Number{};
  if (value == nullptr || error) {
    throw std::runtime_error(
        "workload." + std::string(field) + ": expected " +
        (std::is_integral_v<Number> ? "a whole number in range" : "a number") +
        (value != nullptr ? ", saw " + boost::json::serialize(*value) : ", which is missing"));
  }
  return number;
}

}  // namespace

std::string_view to_string(Phase value) {
  return word_of(phases, value);
}
std::string_view to_string(Precision value) {
  return word_of(precisions, value);
}
std::string_view to_string(EngineKind value) {
  return word_of(engines, value);
}
std::string_view to_string(DataFormat value) {
  return word_of(formats, value);
}

std::string_view to_string(Exchange value) {
  return word_of(exchanges, value);
}
std::string_view to_string(Compression value) {
  return word_of(compressions, value);
}
std::string_view to_string(PreprocessOn value) {
  return word_of(preprocessors, value);
}

std::optional<Phase> parse_phase(std::string_view text) {
  return text == "training"    ? Phase::train
         : text == "inference" ? Phase::infer
                               : value_of(phases, text);
}
std::optional<Precision> parse_precision(std::string_view text) {
  return value_of(precisions, text);
}
std::optional<EngineKind> parse_engine(std::string_view text) {
  return value_of(engines, text);
}
std::optional<DataFormat> parse_data_format(std::string_view text) {
  return text == "jpg" ? DataFormat::jpeg : value_of(formats, text);
}

std::optional<Exchange> parse_exchange(std::string_view text) {
  return value_of(exchanges, text);
}
std::optional<Compression> parse_compression(std::string_view text) {
  return value_of(compressions, text);
}
std::optional<PreprocessOn> parse_preprocess_on(std::string_view text) {
  return value_of(preprocessors, text);
}

boost::json::object to_json(const Workload& workload) {
  boost::json::object object{{"phase", to_string(workload.phase)},
                             {"network", workload.network},
                             {"precision", to_string(workload.precision)},
                             {"engine", to_string(workload.engine)},
                             {"batch", workload.batch},
                             {"replay_items_per_s", workload.replay_items_per_s},
                             {"data", to_string(workload.data)},
                             {"data_path", workload.data_path},
                             {"shuffle", workload.shuffle},
                             {"loader_threads", workload.loader_threads},
                             {"prefetch_batches", workload.prefetch_batches},
                             {"output", to_string(workload.output)}};
  // Written only where they say something: a run that was measured before these fields came keeps
  // its content hash.
  if (workload.sequence != 0) {
    object["sequence"] = workload.sequence;
  }
  if (workload.prompt != 0) {
    object["prompt"] = workload.prompt;
  }
  if (workload.ranks != 1) {
    object["ranks"] = workload.ranks;
    object["exchange"] = to_string(workload.exchange);
    object["compression"] = to_string(workload.compression);
  }
  if (workload.preprocess_on != PreprocessOn::cpu) {
    object["preprocess_on"] = to_string(workload.preprocess_on);
  }
  if (workload.requests) {
    object["requests"] = boost::json::object{{"per_s", workload.requests->per_s},
                                             {"arrivals", workload.requests->arrivals},
                                             {"max_delay_s", workload.requests->max_delay_s}};
  }
  return object;
}

Workload workload_from_json(const boost::json::object& object) {
  const auto text = [&](std::string_view field) -> std::string_view {
    return object.at(field).as_string();
  };
  Workload workload;
  workload.phase = required(parse_phase(text("phase")), "phase", text("phase"));
  workload.network = text("network");
  workload.precision = required(parse_precision(text("precision")), "precision", text("precision"));
  workload.engine = required(parse_engine(text("engine")), "engine", text("engine"));
  workload.batch = number_of<int>(object, "batch");
  const auto optional_count = [&](std::string_view field) {
    return object.contains(field) ? number_of<int>(object, field) : 0;
  };
  workload.sequence = optional_count("sequence");
  workload.prompt = optional_count("prompt");
  if (object.contains("ranks")) {
    workload.ranks = number_of<int>(object, "ranks");
    workload.exchange = required(parse_exchange(text("exchange")), "exchange", text("exchange"));
    workload.compression =
        required(parse_compression(text("compression")), "compression", text("compression"));
  }
  workload.replay_items_per_s = number_of<double>(object, "replay_items_per_s");
  workload.data = required(parse_data_format(text("data")), "data", text("data"));
  workload.data_path = text("data_path");
  workload.shuffle = object.at("shuffle").as_bool();
  workload.loader_threads = number_of<int>(object, "loader_threads");
  workload.prefetch_batches = number_of<int>(object, "prefetch_batches");
  workload.output = required(parse_data_format(text("output")), "output", text("output"));
  if (object.contains("preprocess_on")) {
    workload.preprocess_on = required(
        parse_preprocess_on(text("preprocess_on")), "preprocess_on", text("preprocess_on"));
  }
  if (const auto* requests = object.if_contains("requests")) {
    const auto& load = requests->as_object();
    workload.requests = Requests{number_of<double>(load, "per_s"),
                                 std::string(load.at("arrivals").as_string()),
                                 number_of<double>(load, "max_delay_s")};
  }
  return workload;
}

}  // namespace rightsize
