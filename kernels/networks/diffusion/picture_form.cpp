#include "kernels/networks/diffusion/picture_form.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include "kernels/edit_distance.h"
#include "kernels/network_error.h"

namespace rightsize {
namespace {

[[noreturn]] void refuse(std::string_view name, const std::string& why) {
  throw NetworkError(fmt::format("network {}: {}", name, why));
}

// A whole number of at most `most`; 0: none.
int number_in(std::string_view text, int most) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && value > 0 && value <= most ? value : 0;
}

// "768" or "768x512", width first.
void read_size(PictureForm& form,
               std::string_view name,
               std::string_view text,
               const DiffusionInfo& info) {
  constexpr int most = 8192;
  const auto cross = text.find('x');
  form.width = number_in(text.substr(0, cross), most);
  form.height =
      cross == std::string_view::npos ? form.width : number_in(text.substr(cross + 1), most);
  if (form.width == 0 || form.height == 0 || form.width % info.side_of != 0 ||
      form.height % info.side_of != 0) {
    refuse(name,
           fmt::format("size={}: expected pixels, as in size={}x{}, each a multiple of {} and at "
                       "most {}",
                       text,
                       info.usual.width,
                       info.usual.height,
                       info.side_of,
                       most));
  }
}

// "steps" for "step"; "" where nothing is near.
std::string_view meant_by(std::string_view key, const DiffusionInfo& info) {
  constexpr std::size_t most_slips = 2;
  constexpr std::array<std::string_view, 4> keys{"size", "steps", "guidance", "weights"};
  const auto last = info.denoiser_alone ? keys.begin() + 1 : keys.end();
  const auto* const found = std::find_if(keys.begin(), last, [&](std::string_view one) {
    return edit_distance(key, one) <= most_slips;
  });
  return found == last ? "" : *found;
}

struct StoredFormat {
  std::string_view name;
  int bits;
};

// As programs that widen weights for their products call them.
constexpr std::array<StoredFormat, 3> stored_formats{{{"fp8", 8}, {"int8", 8}, {"nf4", 4}}};

const StoredFormat* stored_format(std::string_view text) {
  const auto* const found = std::find_if(stored_formats.begin(),
                                         stored_formats.end(),
                                         [&](const StoredFormat& one) { return one.name == text; });
  return found == stored_formats.end() ? nullptr : found;
}

void read_part(PictureForm& form,
               std::string_view name,
               std::string_view part,
               const DiffusionInfo& info) {
  const auto equals = part.find('=');
  const auto key = part.substr(0, equals);
  const auto value = equals == std::string_view::npos ? "" : part.substr(equals + 1);
  if (key == "size") {
    return read_size(form, name, value, info);
  }
  if (key == "steps" && !info.denoiser_alone) {
    constexpr int most = 1000;
    form.steps = number_in(value, most);
    return form.steps > 0 ? void()
                          : refuse(name, fmt::format("steps={}: expected 1 to {}", value, most));
  }
  if (key == "guidance" && !info.denoiser_alone) {
    form.guidance = value == "yes";
    return form.guidance || value == "no"
               ? void()
               : refuse(name, fmt::format("guidance={}: expected yes or no", value));
  }
  if (key == "weights" && !info.denoiser_alone) {
    const auto* const format = stored_format(value);
    form.weight_bits = format == nullptr ? 0 : format->bits;
    return format != nullptr
               ? void()
               : refuse(name, fmt::format("weights={}: expected {}", value, weight_grammar));
  }
  const auto meant = meant_by(key, info);
  refuse(name,
         fmt::format(
             "\"{}\": {}{}",
             part,
             info.denoiser_alone
                 ? "a denoiser alone has :size=WIDTHxHEIGHT"
                 : "expected :steps=N, :size=WIDTHxHEIGHT, :guidance=yes|no or :weights=FORMAT",
             meant.empty() ? "" : fmt::format("; did you mean {}={}?", meant, value)));
}

}  // namespace

PictureForm read_picture_form(std::string_view name, const DiffusionInfo& info) {
  auto form = info.usual;
  std::vector<std::string_view> said;
  for (auto rest = name.substr(without_form(name).size()); !rest.empty();) {
    rest.remove_prefix(1);  // the colon
    const auto part = rest.substr(0, rest.find(':'));
    const auto key = part.substr(0, part.find('='));
    if (std::find(said.begin(), said.end(), key) != said.end()) {
      refuse(name, fmt::format("\"{}\": {} is said twice", part, key));
    }
    said.push_back(key);
    read_part(form, name, part, info);
    rest.remove_prefix(part.size());
  }
  return form;
}

bool is_weight_format(std::string_view text) {
  return stored_format(text) != nullptr;
}

std::string picture_title(const DiffusionInfo& info, const PictureForm& form) {
  const auto size = fmt::format("{}x{}", form.width, form.height);
  if (info.denoiser_alone) {
    return fmt::format("{}, {}", info.title, size);
  }
  const bool usual = form.guidance == info.usual.guidance;
  return fmt::format(
      "{}, {} step{} at {}{}{}",
      info.title,
      form.steps,
      form.steps == 1 ? "" : "s",
      size,
      usual           ? ""
      : form.guidance ? ", with guidance"
                      : ", without guidance",
      form.weight_bits > 0 ? fmt::format(", weights in {} bits", form.weight_bits) : "");
}

}  // namespace rightsize
