#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/candidate/accelerator.h"
#include "advisor/candidate/network_facts.h"
#include "advisor/cli/command.h"
#include "advisor/cli/onnx_report.h"
#include "advisor/query/usage_error.h"
#include "advisor/query/words.h"
#include "advisor/report/table.h"
#include "advisor/report/units.h"
#include "kernels/networks/detection/detection.h"
#include "kernels/networks/diffusion/diffusion.h"
#include "kernels/networks/encoder_decoder/encoder_decoder.h"
#include "kernels/networks/language_models.h"
#include "kernels/networks/recommendation/recommendation.h"
#include "kernels/networks/speech/speech.h"
#include "kernels/networks/vision/vision_encoder.h"
#include "kernels/networks/vision_language/vision_language.h"
#include "kernels/onnx/model.h"
#include "kernels/work.h"

namespace rightsize::cli {
namespace {

namespace json = boost::json;

std::uint64_t memory_of(const Network& network, Phase phase, const MemoryAsked& asked) {
  return device_memory_bytes(network, phase, asked.precision, asked.batch);
}

std::string input_of(const Network& network) {
  return looks_up_tables(network) ? fmt::format("{} numbers", network.input.positions())
         : network.reads_tokens() ? fmt::format("{} tokens", network.input.positions())
         : network.hears()
             ? fmt::format("{} frames of {} bins", network.input.positions(), network.input.c)
             : fmt::format("{}x{}x{}", network.input.c, network.input.h, network.input.w);
}

std::string count_text(std::uint64_t parameters) {
  const auto count = static_cast<double>(parameters);
  return count >= 1e9 ? fmt::format("{:.2f} B", count / 1e9) : fmt::format("{:.2f} M", count / 1e6);
}

// Of a mixture of experts also those that one token passes through.
std::string parameters_of(const Network& network) {
  const auto all = count_text(parameter_count(network));
  return has_experts(network)
             ? fmt::format("{}, {} active", all, count_text(active_parameter_count(network)))
             : all;
}

// With commas where there are many, as of pictures that take hundreds of passes.
std::string gigaflops_text(double flops) {
  constexpr double many = 10'000;
  const double giga = flops / 1e9;
  return giga < many ? report::digits(giga)
                     : report::count(static_cast<std::uint64_t>(std::llround(giga)));
}

json::object network_to_json(const Network& network,
                             std::string_view source,
                             const MemoryAsked& asked) {
  json::object memory;
  for (const auto phase :
       {Phase::train, Phase::forward, Phase::forward_backward, Phase::infer, Phase::decode}) {
    if (why_not_in_phase(network, phase).empty()) {
      memory[to_string(phase)] = memory_of(network, phase, asked);
    }
  }
  return {{"name", network.name},
          {"title", network.title},
          {"input", {network.input.c, network.input.h, network.input.w}},
          {"reads_tokens", network.reads_tokens()},
          {"parameters", parameter_count(network)},
          {"active_parameters", active_parameter_count(network)},
          {"forward_flops", forward_flops(network)},
          {"training_flops", training_flops(network)},
          {"activation_elements", activation_elements(network)},
          {"batch", asked.batch},
          {"precision", to_string(asked.precision)},
          {"memory_bytes", memory},
          {"notes", json::value_from(network.notes)},
          {"source", source}};
}

MemoryAsked asked_of(const Values& values) {
  MemoryAsked asked;
  asked.batch = values["batch"].as<int>();
  const auto word = values["precision"].as<std::string>();
  const auto precision = parse_precision(word);
  if (asked.batch < 1 || !precision) {
    throw UsageError(
        fmt::format("--batch {} --precision {}: expected at least 1, and one of fp32, "
                    "tf32, fp16, bf16",
                    asked.batch,
                    word));
  }
  asked.precision = *precision;
  return asked;
}

void add_row(report::Table& table,
             const Network& network,
             std::string_view source,
             const MemoryAsked& asked) {
  const auto bytes = [](std::uint64_t count) { return report::bytes(static_cast<double>(count)); };
  const auto element = static_cast<std::uint64_t>(bytes_per_element(asked.precision));
  const auto in_phase = [&](Phase phase) {
    return why_not_in_phase(network, phase).empty() ? bytes(memory_of(network, phase, asked)) : "—";
  };
  table.add({network.name,
             network.title,
             input_of(network),
             parameters_of(network),
             gigaflops_text(forward_flops(network)),
             makes_pictures(network) || writes_text(network)
                 ? "—"
                 : bytes(activation_elements(network) * element),
             in_phase(Phase::train),
             in_phase(Phase::infer),
             in_phase(Phase::decode),
             std::string(source)});
}

struct Listed {
  Network network;
  std::string source;
};

// A built-in name, or a file of the user's.
Listed listed(const std::string& name, int sequence) {
  const auto meant = network_meant(name);
  const auto known = builtin_networks();
  const auto info = std::find_if(known.begin(), known.end(), [&](const NetworkInfo& one) {
    return one.name == without_form(meant);
  });
  const auto* const picture = diffusion_model(meant);
  const auto* const language = language_model(meant);
  const auto writer = encoder_decoder(meant);
  const auto* const detector = detection_network(meant);
  const auto* const recommender = recommendation_network(meant);
  const auto* const hearing = speech_network(meant);
  const auto* const seeing = vision_encoder(meant);
  const auto* const describing = vision_language_model(meant);
  return {make_network(meant, sequence),
          info != known.end()      ? std::string(info->source)
          : language != nullptr    ? language->source
          : picture != nullptr     ? std::string(picture->source)
          : writer                 ? std::string(writer->source)
          : detector != nullptr    ? std::string(detector->source)
          : recommender != nullptr ? std::string(recommender->source)
          : hearing != nullptr     ? std::string(hearing->source)
          : seeing != nullptr      ? std::string(seeing->source)
          : describing != nullptr  ? std::string(describing->source)
                                   : "the file"};
}

// Those that are named, or all that are built in.
std::vector<Listed> asked_networks(const Values& values) {
  std::vector<Listed> result;
  if (values.count("network") == 0) {
    for (const auto& info : builtin_networks()) {
      result.push_back({info.make(info.sequence), std::string(info.source)});
    }
    for (const auto& model : language_models()) {
      result.push_back({make_language_model(model.config, 0), model.source});
    }
    for (const auto& info : diffusion_models()) {
      result.push_back({usual_picture(info), std::string(info.source)});
    }
    for (const auto& info : encoder_decoders()) {
      result.push_back({usual_text(info), std::string(info.source)});
    }
    for (const auto& info : detection_networks()) {
      result.push_back({usual_image(info), std::string(info.source)});
    }
    for (const auto& info : recommendation_networks()) {
      result.push_back({usual_tables(info), std::string(info.source)});
    }
    for (const auto& info : speech_networks()) {
      result.push_back({usual_clip(info), std::string(info.source)});
    }
    for (const auto& info : vision_encoders()) {
      result.push_back({usual_view(info), std::string(info.source)});
    }
    for (const auto& info : vision_language_models()) {
      result.push_back({make_network(info.name), std::string(info.source)});
    }
    return result;
  }
  for (const auto& name : values["network"].as<std::vector<std::string>>()) {
    result.push_back(listed(name, values["sequence"].as<int>()));
  }
  return result;
}

int list_networks(Context& context, const Values& values) {
  const auto asked = asked_of(values);
  const auto format = output_format(values, {"table", "json", "csv", "md", "names"});
  report::Table table({{"name"},
                       {"network"},
                       {"input"},
                       {"parameters", report::Align::right},
                       {"GFLOPs fwd", report::Align::right},
                       {"activations", report::Align::right},
                       {"train", report::Align::right},
                       {"infer", report::Align::right},
                       {"decode", report::Align::right},
                       {"source"}});
  json::array list;
  std::string names;
  std::string notes;
  for (const auto& [network, source] : asked_networks(values)) {
    for (const auto& note : network.notes) {
      notes += fmt::format("{}: {}\n", network.name, note);
    }
    list.push_back(network_to_json(network, source, asked));
    names += network.name + "\n";
    add_row(table, network, source, asked);
  }
  const auto note = fmt::format(
      "train, infer, decode: least device memory at batch {} in {}, without the libraries' own "
      "room; activations: kept for the backward pass, per item\n",
      asked.batch,
      to_string(asked.precision));
  emit(context,
       values,
       format == "json"    ? json::serialize(list) + "\n"
       : format == "csv"   ? table.csv()
       : format == "md"    ? table.markdown()
       : format == "names" ? names
                           : table.text(context.out_style) + note + notes);
  return exit_ok;
}

}  // namespace

int run_networks(Context& context, const std::vector<std::string>& arguments) {
  namespace po = boost::program_options;
  Options options("options");
  add_output_options(options);
  options.add_options()("network",
                        po::value<std::vector<std::string>>(),
                        "these alone: built-in names, or files of yours (config.json, .onnx)")(
      "onnx",
      po::value<std::string>(),
      "a network of yours: its layers, its work, and what cannot be run")(
      "sequence",
      po::value<int>()->default_value(0),
      "tokens per item of the named networks (0: their own; 128 where an ONNX file leaves it "
      "open)")("batch", po::value<int>()->default_value(1), "items that the memory is for")(
      "precision", po::value<std::string>()->default_value("fp32"), "that the memory is for");
  const auto values = parse(context, "networks", options, {"network..."}, arguments);
  const int sequence = values["sequence"].as<int>();
  if (sequence < 0) {
    throw UsageError(fmt::format("--sequence {}: expected 1 or more tokens", sequence));
  }
  if (values.count("onnx") > 0) {
    if (values.count("network") > 0) {
      throw UsageError("--onnx shows one network; leave the others out");
    }
    try {
      return show_onnx(
          context, values, values["onnx"].as<std::string>(), sequence, asked_of(values));
    } catch (const onnx::OnnxError& error) {  // no such file, or no ONNX
      throw UsageError(error.what());
    }
  }
  if (sequence != 0 && values.count("network") == 0) {
    throw UsageError("--sequence is for networks that are named; all are listed at their own");
  }
  return list_networks(context, values);
}

}  // namespace rightsize::cli
