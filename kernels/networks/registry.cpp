#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "kernels/network_error.h"
#include "kernels/networks/config_file.h"
#include "kernels/networks/detection/detection.h"
#include "kernels/networks/diffusion/diffusion.h"
#include "kernels/networks/encoder.h"
#include "kernels/networks/encoder_decoder/encoder_decoder.h"
#include "kernels/networks/form_parts.h"
#include "kernels/networks/image_size.h"
#include "kernels/networks/language_models.h"
#include "kernels/networks/near_name.h"
#include "kernels/networks/program.h"
#include "kernels/networks/recommendation/recommendation.h"
#include "kernels/networks/speech/speech.h"
#include "kernels/networks/vision/vision_encoder.h"
#include "kernels/networks/vision_language/vision_language.h"
#include "kernels/networks/vit.h"
#include "kernels/onnx/onnx.h"

namespace rightsize {
namespace {

// "a, b and 7 more", the shortest of very many, which are the plainest.
std::string list_of(std::vector<std::string_view> names) {
  constexpr std::size_t most = 60;
  if (names.size() <= most) {
    return fmt::format("{}", fmt::join(names, ", "));
  }
  std::stable_sort(names.begin(), names.end(), [](auto a, auto b) { return a.size() < b.size(); });
  return fmt::format(
      "{} and {} more", fmt::join(names.begin(), names.begin() + most, ", "), names.size() - most);
}

std::string unknown_message(std::string_view name) {
  const auto base = without_form(name);
  const auto near = near_network(base, network_titles());
  const auto family = networks_of_family(base, network_titles());
  const auto kin = nearest_in_work(base);
  std::string others;
  if (name.ends_with(".py") || name.ends_with(".sh")) {
    others = fmt::format(" A program of your own, profiled by rightsize profile, is \"{}\".",
                         as_network(name));
  } else if (!kin.empty()) {
    others = fmt::format(" Of its kind: {}.", kin);
  } else if (!near.empty()) {
    others = fmt::format(" Did you mean \"{}\"?", near);
  } else if (!family.empty()) {
    others = fmt::format(" Of that family there are {}.", list_of(family));
  }
  return fmt::format(
      "unknown network \"{}\".{} `rightsize networks` lists those built in; the path of a "
      "config.json of a language model such as Llama, Falcon or OPT, also with experts, of an "
      "encoder such as BERT or of what reads and writes, such as Whisper or T5, works too.",
      name,
      others);
}

TrainedNetwork from_onnx(std::string_view path, int sequence) {
  if (sequence < 0) {
    throw NetworkError(fmt::format(
        "network {}: a sequence of {} tokens was asked for; use 1 or more", path, sequence));
  }
  try {
    auto model = load_onnx(std::string(path), sequence);
    if (!model.network) {
      throw NetworkError(fmt::format("{} cannot be run: {}. See: rightsize networks --onnx {}",
                                     path,
                                     model.report.reason(),
                                     path));
    }
    return {std::move(*model.network), std::move(model.parameters)};
  } catch (const onnx::OnnxError& error) {
    throw NetworkError(error.what());
  }
}

// Whose name it begins with; nullptr: none.
const NetworkInfo* built_in(std::string_view name) {
  const auto all = builtin_networks();
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const auto& one) { return one.name == without_form(name); });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::span<const NetworkTitle> network_titles() {
  static const auto titles = [] {
    std::vector<NetworkTitle> all;
    for (const auto& info : builtin_networks()) {
      all.push_back({info.name, info.title});
    }
    for (const auto& model : language_models()) {
      all.push_back({model.name, model.title});
    }
    for (const auto& info : diffusion_models()) {
      all.push_back({info.name, info.title});
    }
    for (const auto& info : encoder_decoders()) {
      all.push_back({info.name, info.title});
    }
    for (const auto& info : detection_networks()) {
      all.push_back({info.name, info.title});
    }
    for (const auto& info : recommendation_networks()) {
      all.push_back({info.name, info.title});
    }
    for (const auto& info : speech_networks()) {
      all.push_back({info.name, info.title});
    }
    for (const auto& info : vision_encoders()) {
      all.push_back({info.name, info.title});
    }
    for (const auto& info : vision_language_models()) {
      all.push_back({info.name, info.title});
    }
    return all;
  }();
  return titles;
}

bool is_network(std::string_view name) {
  const auto all = network_titles();
  return std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
}

bool takes_parts(std::string_view name) {
  const auto* const info = built_in(name);
  return (info != nullptr && takes_size(*info)) || is_diffusion(name) || is_encoder_decoder(name) ||
         is_detection(name) || is_recommendation(name) || is_speech(name) ||
         is_vision_encoder(name) || is_vision_language(name);
}

std::string_view without_form(std::string_view name) {
  return name.substr(0, name.find(':'));
}

namespace {

[[noreturn]] void refuse_sequence(std::string_view name, int sequence, std::string_view instead) {
  throw NetworkError(fmt::format(
      "network {}: a sequence of {} tokens was asked for; {}", name, sequence, instead));
}

constexpr std::string_view own_length = "use 1 or more, or 0 for the network's own";
constexpr std::string_view of_images = "it reads images, leave sequence out";
constexpr std::string_view of_clips =
    "it hears clips, whose length is :seconds= behind its name; leave sequence out";
constexpr std::string_view of_samples = "it reads samples of so many numbers, leave sequence out";
constexpr std::string_view of_programs = "a program's items are as it has them, leave sequence out";
constexpr std::string_view of_prompts =
    "its prompts have a length of their own, leave sequence out";

// A network that reads no sequence, for which none may be asked.
Network without_sequence(Network network, int sequence, std::string_view why) {
  if (sequence != 0) {
    refuse_sequence(network.name, sequence, why);
  }
  return network;
}

// Without a sequence, as long as the paper's own or as the model allows.
Network from_config(std::string_view name, int sequence) {
  if (auto made = make_encoder_decoder(name, sequence)) {
    return std::move(*made);
  }
  const std::string path(without_form(name));
  if (path.size() < name.size()) {
    refuse_form(name, "only networks that read and write have parts behind their file's name");
  }
  const ConfigFile file(path);
  if (is_vit(file)) {
    return without_sequence(make_vit(read_vit(file, path)), sequence, of_images);
  }
  if (is_encoder(file)) {
    const auto config = read_encoder(file, path);
    const auto usual = std::min<std::int64_t>(usual_context, config.context);
    return make_encoder(config, sequence > 0 ? sequence : static_cast<int>(usual));
  }
  return make_language_model(read_language_model(file, path), sequence);
}

}  // namespace

TrainedNetwork make_trained_network(std::string_view name, int sequence) {
  return is_onnx_path(name) ? from_onnx(name, sequence)
                            : TrainedNetwork{make_network(name, sequence), {}};
}

namespace {

Network of_table(const NetworkInfo& info, std::string_view name, int sequence) {
  if (!takes_size(info) && name.size() > info.name.size()) {
    refuse_form(name, "nothing stands behind its name; its length is --sequence");
  }
  if (sequence < 0 || (sequence > 0 && info.sequence == 0)) {
    refuse_sequence(info.name, sequence, info.sequence == 0 ? of_images : own_length);
  }
  return takes_size(info) ? at_asked_size(info, name)
                          : info.make(sequence > 0 ? sequence : info.sequence);
}

}  // namespace

Network make_network(std::string_view name, int sequence) {
  if (const auto program = program_named(name)) {
    return without_sequence(make_program(*program), sequence, of_programs);
  }
  if (is_onnx_path(name)) {
    return from_onnx(name, sequence).network;
  }
  if (is_config_path(without_form(name))) {
    return from_config(name, sequence);
  }
  if (const auto* const info = built_in(name)) {
    return of_table(*info, name, sequence);
  }
  if (const auto* const model = language_model(name)) {
    if (sequence < 0) {
      refuse_sequence(name, sequence, own_length);
    }
    return make_language_model(model->config, sequence);
  }
  if (auto made = make_vision_language(name, sequence)) {
    return std::move(*made);
  }
  if (auto made = make_encoder_decoder(name, sequence)) {
    return std::move(*made);
  }
  if (auto made = make_diffusion(name)) {
    return without_sequence(std::move(*made), sequence, of_prompts);
  }
  if (auto made = make_detection(name)) {
    return without_sequence(std::move(*made), sequence, of_images);
  }
  if (auto made = make_recommendation(name)) {
    return without_sequence(std::move(*made), sequence, of_samples);
  }
  if (auto made = make_speech(name)) {
    return without_sequence(std::move(*made), sequence, of_clips);
  }
  if (auto made = make_vision_encoder(name)) {
    return without_sequence(std::move(*made), sequence, of_images);
  }
  throw UnknownNetwork(unknown_message(name));
}

}  // namespace rightsize
