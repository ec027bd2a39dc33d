#include "kernels/known_network.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/longer_sequence.h"
#include "kernels/network_error.h"
#include "kernels/networks/config_file.h"
#include "kernels/networks/encoder_decoder/encoder_decoder.h"
#include "kernels/networks/encoder_decoder/text_form.h"
#include "kernels/networks/form_parts.h"
#include "kernels/networks/language_models.h"

namespace rightsize {
namespace {

// What the layer's work hangs on.
Layer bare(Layer layer) {
  const Layer usual;
  layer.name = usual.name;
  layer.epsilon = usual.epsilon;
  layer.dropout_rate = usual.dropout_rate;
  layer.rotary_base = layer.rotary_base > 0 ? 1 : 0;
  return layer;
}

// nullopt where there is none of such a length.
std::optional<Network> made(std::string_view name, int sequence, Phase phase) {
  try {
    return make_network(name, sequence, phase);
  } catch (const std::runtime_error&) {  // of a file, also one that cannot be read
    return std::nullopt;
  }
}

// Whether a network of the table can be that one at all, without making it.
bool may_equal(const LanguageModel& model, const Network& network) {
  return std::visit([](const auto& config) { return config.vocabulary; }, model.config) ==
         network.vocabulary;
}

// In the order of network_titles(). Whatever reads images is as large as its name says, and is made
// in no time.
template <typename Try>
std::optional<KnownNetwork> first_of_names(const Network& network, const Try& equals) {
  for (const auto& info : builtin_networks()) {
    const bool of_kind = (info.sequence > 0) == network.reads_tokens();
    if (of_kind && equals(std::string(info.name))) {
      return KnownNetwork{std::string(info.name), std::string(info.title)};
    }
  }
  for (const auto& model : language_models()) {
    if (network.reads_tokens() && may_equal(model, network) && equals(model.name)) {
      return KnownNetwork{model.name, model.title};
    }
  }
  return std::nullopt;
}

// Networks that read and write, in the form that is asked of the file.
std::optional<KnownNetwork> of_encoder_decoders(std::string_view path,
                                                const Network& network,
                                                int sequence,
                                                Phase phase) {
  std::string form;
  bool trained = false;
  for (const auto& part : form_parts(path)) {
    const bool says_trained = part.text == training_part;
    trained = trained || says_trained;
    form += says_trained ? "" : fmt::format(":{}", part.text);
  }
  for (const auto& info : encoder_decoders()) {
    if (info.trained == trained) {
      const auto other = made(info.name + form, sequence, phase);
      if (other && computes_the_same(network, *other)) {
        return KnownNetwork{info.name + form, info.title, sequence};
      }
    }
  }
  return std::nullopt;
}

}  // namespace

bool computes_the_same(const Network& one, const Network& other) {
  return one.input_kind == other.input_kind && one.input == other.input &&
         one.layers.size() == other.layers.size() &&
         std::equal(one.layers.begin(),
                    one.layers.end(),
                    other.layers.begin(),
                    [](const Layer& a, const Layer& b) { return bare(a) == bare(b); });
}

std::optional<KnownNetwork> known_network(std::string_view network, int sequence, Phase phase) {
  if (!is_config_path(without_form(network))) {
    return std::nullopt;
  }
  const auto own = made(network, sequence, phase);
  if (!own) {
    return std::nullopt;
  }
  if (is_encoder_decoder(network)) {
    return of_encoder_decoders(network, *own, sequence, phase);
  }
  const int length = own->reads_tokens() ? static_cast<int>(own->input.positions()) : 0;
  auto known = first_of_names(*own, [&](const std::string& name) {
    const auto other = made(name, length, phase);
    return other && computes_the_same(*own, *other);
  });
  if (known) {
    known->sequence = length;
  }
  return known;
}

}  // namespace rightsize
