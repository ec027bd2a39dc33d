#include "kernels/networks/encoder_decoder/text_form.h"

#include <fmt/format.h>

#include "kernels/networks/form_parts.h"
#include "kernels/networks/weight_format.h"

namespace rightsize {
namespace {

constexpr int most_beams = 64;

int number_in(std::string_view name, const FormPart& part, int most) {
  const int value = form_number(part.value, most);
  if (value == 0) {
    refuse_form(name, fmt::format("{}={}: expected 1 to {}", part.key, part.value, most));
  }
  return value;
}

void read_part(TextForm& form,
               std::string_view name,
               const FormPart& part,
               const EncoderDecoderInfo& info) {
  if (part.text == training_part) {
    return;  // of the name that `info` was found by
  }
  if (part.key == "tokens") {
    form.tokens = number_in(name, part, info.most_tokens);
    return;
  }
  if (part.key == "beams" && !info.trained) {
    form.beams = number_in(name, part, most_beams);
    return;
  }
  if (part.key == "weights" && !info.trained) {
    form.weight_bits = bits_of_weight_format(part.value);
    return form.weight_bits > 0
               ? void()
               : refuse_form(name,
                             fmt::format("weights={}: expected {}", part.value, weight_grammar));
  }
  refuse_form(
      name,
      fmt::format("\"{}\": {}",
                  part.text,
                  info.trained ? "of what it is trained on there is :tokens=N, as long as a text is"
                               : "expected :tokens=N, as much as is written, :beams=N or "
                                 ":weights=FORMAT"));
}

}  // namespace

TextForm read_text_form(std::string_view name, const EncoderDecoderInfo& info) {
  auto form = info.usual;
  for (const auto& part : form_parts(name)) {
    read_part(form, name, part, info);
  }
  return form;
}

std::string text_title(const EncoderDecoderInfo& info, const TextForm& form) {
  return fmt::format(
      "{}, {} token{}{}{}",
      info.title,
      form.tokens,
      form.tokens == 1 ? "" : "s",
      form.beams > 1 ? fmt::format(" by {} beams", form.beams) : "",
      form.weight_bits > 0 ? fmt::format(", weights in {} bits", form.weight_bits) : "");
}

}  // namespace rightsize
