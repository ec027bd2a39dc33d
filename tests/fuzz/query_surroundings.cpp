// What the reader of job files asks of the rest of the house, cut short, so the fuzzer needs
// neither the networks nor the laws: two networks are known, the one of a file that names none and
// a small language model, and every other name takes the way of a mistyped one.
#include <string>

#include "advisor/candidate/accelerator.h"
#include "advisor/candidate/network_facts.h"
#include "advisor/candidate/own_loader.h"
#include "advisor/candidate/own_program.h"
#include "advisor/query/network_misfit.h"
#include "advisor/query/words.h"
#include "kernels/engine.h"
#include "kernels/longer_sequence.h"
#include "kernels/networks/detection/detection.h"
#include "kernels/networks/diffusion/diffusion.h"
#include "kernels/networks/encoder_decoder/encoder_decoder.h"
#include "kernels/networks/program.h"
#include "kernels/networks/recommendation/recommendation.h"
#include "kernels/networks/vision_language/vision_language.h"
#include "kernels/networks/weight_format.h"
#include "kernels/work.h"
#include "models/predict.h"

namespace rightsize {

bool means_no_gpu(std::string_view text) {
  return text.empty() || text == "none";
}

Network make_network(std::string_view name, int sequence) {
  constexpr int positions = 1024;
  if (name == "resnet50") {
    Network pictures;
    pictures.name = name;
    pictures.input = {3, 224, 224};
    return pictures;
  }
  if (program_named(name)) {
    Network program;
    program.name = name;
    program.input = {1, 1, 1};
    return program;
  }
  if (name != "gpt2") {
    throw EngineError("no network is known here: " + std::string(name));
  }
  if (sequence > positions) {
    throw EngineError("gpt2 reads no more than 1024 tokens");
  }
  Network network;
  network.name = name;
  network.input_kind = InputKind::tokens;
  network.vocabulary = 2;
  network.layers.resize(1);  // can_generate() below asks for no more
  return network;
}

// No positions here are rotary.
Network make_network(std::string_view name, int sequence, Phase /*phase*/) {
  return make_network(name, sequence);
}

std::string network_meant(std::string_view text) {
  return std::string(text);
}

bool can_generate(const Network& network) {
  return !network.layers.empty();
}

std::string why_not_in_phase(const Network& network, Phase phase) {
  return phase == Phase::decode && !can_generate(network) ? "it writes nothing" : "";
}

std::optional<Misfit> network_misfit(const Network& /*network*/, const NetworkStep& /*step*/) {
  return std::nullopt;
}

// No model that makes pictures is known here.
bool is_denoiser(const Network& /*network*/) {
  return false;
}

bool reads_pictures(const Network& network) {
  return !network.reads_tokens();
}

bool is_diffusion(std::string_view /*name*/) {
  return false;
}

bool reads_prompts(std::string_view /*name*/) {
  return false;
}

bool is_detection(std::string_view /*name*/) {
  return false;
}

int picture_tokens(std::string_view /*name*/) {
  return 0;
}

std::string with_pictures(std::string_view name,
                          std::string_view images,
                          std::string_view /*size*/) {
  if (images == "0") {
    return std::string(name);
  }
  throw EngineError("nothing sees pictures here");
}

bool is_recommendation(std::string_view /*name*/) {
  return false;
}

bool looks_up_tables(const Network& /*network*/) {
  return false;
}

std::uint64_t sample_bytes(const Network& /*network*/) {
  return 0;
}

bool is_encoder_decoder(std::string_view /*name*/) {
  return false;
}

bool hears(std::string_view /*name*/) {
  return false;
}

int bits_of_weight_format(std::string_view /*text*/) {
  return 0;
}

// Programs go by their name, and every job may have a loader.
std::optional<std::string> program_named(std::string_view network) {
  constexpr std::string_view prefix = "program:";
  return network.starts_with(prefix) ? std::optional(std::string(network.substr(prefix.size())))
                                     : std::nullopt;
}

std::string bare_program(std::string_view network) {
  return program_named(network).value_or(std::string(network));
}

std::string program_misfit(const NetworkStep& /*step*/, bool serves) {
  return serves ? "no [service]" : "";
}

std::string why_no_loader(Phase /*phase*/, DataFormat /*data*/, bool /*serves*/) {
  return "";
}

bool is_program_loader(std::string_view loader) {
  return !loader.empty() && loader != measured_loader;
}

double preprocessed_bytes(DataFormat /*output*/, double read_bytes) {
  return read_bytes;
}

}  // namespace rightsize
