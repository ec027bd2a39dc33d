#include "advisor/query/timm_names.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "kernels/network.h"
#include "kernels/networks/form_parts.h"
#include "models/laws/spelling.h"

namespace rightsize {
namespace {

constexpr int least_pixels = 96;
constexpr int most_pixels = 1536;

void drop_front(std::string_view& text, std::string_view front) {
  if (text.starts_with(front)) {
    text.remove_prefix(front.size());
  }
}

// The number behind the last separator where it may be pixels; 0: none.
int pixels_behind(std::string_view text) {
  const auto mark = text.find_last_of("_-");
  const auto digits = mark == std::string_view::npos ? "" : text.substr(mark + 1);
  int pixels = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), pixels);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  return whole && pixels >= least_pixels && pixels <= most_pixels ? pixels : 0;
}

// What was learned from, behind the name of a checkpoint.
std::string_view without_training(std::string_view name) {
  constexpr std::array<std::string_view, 12> trainings{"in21k",
                                                       "in22k",
                                                       "in1k",
                                                       "22kto1k",
                                                       "in22ft1k",
                                                       "pt22k",
                                                       "ft22k",
                                                       "ft1k",
                                                       "ft22kto1k",
                                                       "22k",
                                                       "1k",
                                                       "ft"};
  for (;;) {
    const auto mark = name.find_last_of("_-");
    const auto word = mark == std::string_view::npos ? "" : name.substr(mark + 1);
    if (std::find(trainings.begin(), trainings.end(), word) == trainings.end()) {
      return name;
    }
    name.remove_suffix(word.size() + 1);
  }
}

bool reads_images(std::string_view name) {
  const auto network = make_network(name);
  return network.input_kind == InputKind::image && network.input.c == 3;
}

// With so many pixels a side, where it has not as many anyhow.
std::optional<std::string> sized(std::string_view name, int pixels) {
  const std::string base(without_form(name));
  if (pixels == 0 || make_network(name).input.h == pixels) {
    return std::string(name);
  }
  if (!takes_parts(base)) {
    return std::nullopt;
  }
  if (make_network(base).input.h == pixels) {
    return base;
  }
  return fmt::format("{}:size={}", base, pixels);
}

// "vit_base_patch16_384": as it stands, in which case what is behind it may be a width, without
// the size, or as of the usual size.
std::optional<std::string> of_stem(std::string_view stem, int pixels, const NamedNetwork& named) {
  const auto found = named(bare(stem));
  if (found && reads_images(*found)) {
    return sized(*found, pixels);
  }
  const auto size = pixels_behind(stem);
  const std::string base(size == 0 ? stem : stem.substr(0, stem.find_last_of("_-")));
  for (const auto& spelt : {bare(base), bare(base + "224")}) {
    const auto usual = named(spelt);
    if (usual && reads_images(*usual)) {
      return sized(*usual, pixels > 0 ? pixels : size);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> timm_network(std::string_view said, const NamedNetwork& named) {
  auto text = without_form(said);
  if (text.size() < said.size() && (text == "hf-hub" || text == "hf_hub")) {
    text = said.substr(text.size() + 1);
  }
  drop_front(text, "timm/");
  const auto owner = text.find('/');
  text = owner == std::string_view::npos ? text : text.substr(owner + 1);
  const auto point = text.find('.');
  const auto tag = point == std::string_view::npos ? "" : text.substr(point + 1);
  auto stem = without_training(text.substr(0, point));
  const auto pixels = pixels_behind(tag);
  if (auto found = of_stem(stem, pixels, named)) {
    return found;
  }
  drop_front(stem, "tf_");
  drop_front(stem, "legacy_");
  return of_stem(stem, pixels, named);
}

}  // namespace rightsize
