#include "kernels/networks/diffusion/picture_form.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include <fmt/format.h>

#include "kernels/edit_distance.h"
#include "kernels/networks/form_parts.h"
#include "kernels/networks/weight_format.h"

namespace rightsize {
namespace {

// "768" or "768x512", width first.
void read_size(PictureForm& form,
               std::string_view name,
               std::string_view text,
               const DiffusionInfo& info) {
  constexpr int most = 8192;
  const auto cross = text.find('x');
  form.width = form_number(text.substr(0, cross), most);
  form.height =
      cross == std::string_view::npos ? form.width : form_number(text.substr(cross + 1), most);
  if (form.width == 0 || form.height == 0 || form.width % info.side_of != 0 ||
      form.height % info.side_of != 0) {
    refuse_form(
        name,
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

void read_part(PictureForm& form,
               std::string_view name,
               const FormPart& part,
               const DiffusionInfo& info) {
  const auto& [text, key, value] = part;
  if (key == "size") {
    return read_size(form, name, value, info);
  }
  if (key == "steps" && !info.denoiser_alone) {
    constexpr int most = 1000;
    form.steps = form_number(value, most);
    return form.steps > 0
               ? void()
               : refuse_form(name, fmt::format("steps={}: expected 1 to {}", value, most));
  }
  if (key == "guidance" && !info.denoiser_alone) {
    form.guidance = value == "yes";
    return form.guidance || value == "no"
               ? void()
               : refuse_form(name, fmt::format("guidance={}: expected yes or no", value));
  }
  if (key == "weights" && !info.denoiser_alone) {
    form.weight_bits = bits_of_weight_format(value);
    return form.weight_bits > 0
               ? void()
               : refuse_form(name, fmt::format("weights={}: expected {}", value, weight_grammar));
  }
  const auto meant = meant_by(key, info);
  refuse_form(
      name,
      fmt::format(
          "\"{}\": {}{}",
          text,
          info.denoiser_alone
              ? "a denoiser alone has :size=WIDTHxHEIGHT"
              : "expected :steps=N, :size=WIDTHxHEIGHT, :guidance=yes|no or :weights=FORMAT",
          meant.empty() ? "" : fmt::format("; did you mean {}={}?", meant, value)));
}

}  // namespace

PictureForm read_picture_form(std::string_view name, const DiffusionInfo& info) {
  auto form = info.usual;
  for (const auto& part : form_parts(name)) {
    read_part(form, name, part, info);
  }
  return form;
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
