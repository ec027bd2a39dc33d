// What the names of language models that see ask, and the networks that they are.
#include "kernels/networks/vision_language/vision_language.h"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

#include "kernels/networks/form_parts.h"
#include "kernels/networks/language_models.h"

namespace rightsize {
namespace {

void read_size(std::string_view name, const FormPart& part, PromptPictures& pictures) {
  const auto cross = part.value.find('x');
  const auto height = cross == std::string_view::npos ? part.value : part.value.substr(cross + 1);
  pictures.width = form_number(part.value.substr(0, cross), most_picture_side);
  pictures.height = form_number(height, most_picture_side);
  if (pictures.width == 0 || pictures.height == 0) {
    refuse_form(name,
                fmt::format("size={}: expected width and height in pixels, as in size=1280x720, "
                            "at most {} each",
                            part.value,
                            most_picture_side));
  }
}

void read_count(std::string_view name, const FormPart& part, PromptPictures& pictures) {
  pictures.count = form_number(part.value, most_pictures);
  if (pictures.count == 0 && part.value != "0") {
    refuse_form(
        name,
        fmt::format(
            "images={}: expected pictures of a prompt, 0 to {}", part.value, most_pictures));
  }
}

std::string pictures_text(const PromptPictures& pictures) {
  return fmt::format("{} {} of {}x{}",
                     pictures.count,
                     pictures.count == 1 ? "picture" : "pictures",
                     pictures.width,
                     pictures.height);
}

std::string note_of(const VisionLanguageInfo& info, const PromptPictures& pictures, int tokens) {
  const auto tower = fmt::format(
      "what it sees with, {:.2f} billion parameters in the job's precision, is counted where it "
      "writes",
      static_cast<double>(tower_parameters(info.tower, word_features(info))) / 1e9);
  if (pictures.count == 0) {
    return "no pictures are said (images=1, size=1280x720): its prompts are text alone; " + tower;
  }
  return fmt::format(
      "{} {} {} tokens of each prompt, beside its text's; {}; to decode and resize pictures is the "
      "host's, and not part of an answer: servers of 2025 were published at 3 to 18 pictures a "
      "second each, whatever their GPUs could do",
      pictures_text(pictures),
      pictures.count == 1 ? "becomes" : "become",
      tokens,
      tower);
}

LanguageModelConfig text_of(const VisionLanguageInfo& info) {
  auto config = language_model(info.text)->config;
  if (info.context > 0) {
    std::visit([&](auto& one) { one.context = info.context; }, config);
  }
  return config;
}

}  // namespace

const VisionLanguageInfo* vision_language_model(std::string_view name) {
  const auto models = vision_language_models();
  const auto found = std::find_if(models.begin(), models.end(), [&](const auto& one) {
    return one.name == without_form(name);
  });
  return found == models.end() ? nullptr : &*found;
}

bool is_vision_language(std::string_view name) {
  return vision_language_model(name) != nullptr;
}

PromptPictures pictures_of(std::string_view name) {
  PromptPictures pictures;
  bool sized = false;
  bool counted = false;
  for (const auto& part : form_parts(name)) {
    if (part.key == "images") {
      read_count(name, part, pictures);
      counted = true;
    } else if (part.key == "size") {
      read_size(name, part, pictures);
      sized = true;
    } else {
      refuse_form(name,
                  fmt::format("\"{}\": expected :images=NUMBER or :size=WIDTHxHEIGHT", part.text));
    }
  }
  pictures.count = sized && !counted ? 1 : pictures.count;
  return pictures;
}

int picture_tokens(std::string_view name) {
  const auto* const info = vision_language_model(name);
  if (info == nullptr) {
    return 0;
  }
  const auto pictures = pictures_of(name);
  return static_cast<int>(pictures.count *
                          seen_picture(info->tower, pictures.width, pictures.height).tokens);
}

std::int64_t word_features(const VisionLanguageInfo& info) {
  return std::visit([](const auto& config) { return config.width; },
                    language_model(info.text)->config);
}

std::optional<Network> make_vision_language(std::string_view name, int sequence) {
  const auto* const info = vision_language_model(name);
  if (info == nullptr) {
    return std::nullopt;
  }
  const auto pictures = pictures_of(name);
  auto network = make_language_model(text_of(*info), sequence);
  network.name = name;
  network.title = info->title;
  if (pictures.count > 0) {
    network.title += ", " + pictures_text(pictures);
  }
  network.notes.push_back(note_of(*info, pictures, picture_tokens(name)));
  return network;
}

std::string with_pictures(std::string_view name, std::string_view images, std::string_view size) {
  const auto* info = vision_language_model(name);
  if (info == nullptr) {
    const auto models = vision_language_models();
    const auto both = std::find_if(models.begin(), models.end(), [&](const auto& one) {
      return one.one_checkpoint && one.text == name;
    });
    if (both == models.end()) {
      refuse_form(name,
                  "it sees no pictures: images and their size are said of a language model that "
                  "does, such as qwen2.5-vl-7b");
    }
    info = &*both;
  }
  std::string result(info->name);
  bool counted = false;
  bool sized = false;
  for (const auto& part : form_parts(is_vision_language(name) ? name : info->name)) {
    const bool count = part.key == "images";
    const auto said = count ? images : size;
    counted = counted || count;
    sized = sized || part.key == "size";
    result += said.empty() ? fmt::format(":{}", part.text) : fmt::format(":{}={}", part.key, said);
  }
  result += counted || images.empty() ? "" : fmt::format(":images={}", images);
  result += sized || size.empty() ? "" : fmt::format(":size={}", size);
  static_cast<void>(pictures_of(result));
  return result;
}

}  // namespace rightsize
