#include "advisor/query/words.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "advisor/candidate/network_facts.h"
#include "advisor/query/network_spellings.h"
#include "advisor/query/timm_names.h"
#include "kernels/network.h"
#include "kernels/networks/form_parts.h"
#include "kernels/networks/language_models.h"
#include "kernels/networks/program.h"
#include "kernels/onnx/onnx.h"
#include "models/laws/spelling.h"

namespace rightsize {
namespace {

// ResNet's versions move a stride or a normalisation ("ResNet-50 v1.5"): the work stays the same
// within the estimate's interval. Those of other networks are other networks ("MobileNet v1").
std::string_view without_version(std::string_view name) {
  if (!name.starts_with("resnet") && !name.starts_with("rn")) {
    return name;
  }
  for (const std::string_view version : {"v15", "v1b", "v1", "v2"}) {
    if (name.ends_with(version)) {
      return name.substr(0, name.size() - version.size());
    }
  }
  return name;
}

// "Command R+" is another model than Command R.
std::string with_plus(std::string_view name) {
  std::string words(name);
  if (words.ends_with('+')) {
    words.replace(words.size() - 1, 1, "plus");
  }
  return words;
}

// "CaffeNet (AlexNet variant)": what stands in brackets is a remark, unless it is a version.
std::string without_remark(std::string_view text) {
  const auto bracket = text.find('(');
  const auto remark = bracket == std::string_view::npos ? "" : bare(text.substr(bracket));
  const bool version =
      remark.size() > 1 && remark[0] == 'v' && remark[1] >= '0' && remark[1] <= '9';
  return bare(version ? text : text.substr(0, bracket));
}

// What hubs put behind a language model's name: how it was tuned, and when.
constexpr std::array<std::string_view, 26> tunings{
    "deduped", "instruct", "chat", "hf",   "it",   "pt",   "base",    "thinking", "v01",
    "v02",     "v03",      "v10",  "v15",  "0324", "0528", "0905",    "2407",     "2409",
    "2410",    "2411",     "2501", "2503", "2506", "2507", "preview", "distill"};

// The numbers in `text`, each behind a blank: "qwen2.5-7b" -> " 2 5 7".
std::string numbers_in(std::string_view text) {
  std::string numbers;
  bool inside = false;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    numbers += digit && !inside ? " " : "";
    numbers += digit ? std::string(1, c) : "";
    inside = digit;
  }
  return numbers;
}

// `said`: as it was written. "qwen2-57b" is not qwen2.5-7b, though it has the same digits.
std::optional<std::string_view> built_in(std::string_view wanted, std::string_view said) {
  const auto numbers = numbers_in(said) + " ";
  const auto begins_as = [&](std::string_view known) {
    return numbers.starts_with(numbers_in(known) + " ");
  };
  for (const auto& [name, title] : network_titles()) {
    const bool spelt = bare(name) == wanted || bare(title) == wanted;
    if (spelt && (language_model(name) == nullptr || begins_as(name) || begins_as(title))) {
      return name;
    }
  }
  return network_spelt(wanted);
}

// "Meta-Llama-3.1-8B-Instruct" -> "llama-8b"; of other kinds than language models nothing is left
// out, which would be another network.
std::optional<std::string_view> language_model_meant(std::string_view wanted,
                                                     std::string_view said) {
  constexpr std::string_view owner = "meta";
  if (wanted.starts_with(owner)) {
    wanted.remove_prefix(owner.size());
  }
  for (;;) {
    const auto found = built_in(wanted, said);
    if (found && can_generate(make_network(*found))) {
      return found;
    }
    const auto* const tuning =
        std::find_if(tunings.begin(), tunings.end(), [&](std::string_view one) {
          return wanted.size() > one.size() && wanted.ends_with(one);
        });
    if (tuning == tunings.end()) {
      return std::nullopt;
    }
    wanted.remove_suffix(tuning->size());
  }
}

// The size that is said last is meant: of "vit-b16:size=384" and ":size=224", as of timm's names
// that have one themselves, the second.
std::string with_form(std::string_view network, std::string_view form) {
  constexpr std::string_view size = ":size=";
  std::string name(network);
  const auto own = name.find(size);
  if (own != std::string::npos && form.find(size) != std::string_view::npos) {
    name.erase(own, name.find(':', own + 1) - own);
  }
  return name + std::string(form);
}

}  // namespace

std::string network_meant(std::string_view said) {
  const std::string words = with_plus(said);
  const std::string_view text = words;
  if (program_named(text)) {
    return words;
  }
  const auto file = std::filesystem::path(text) / "config.json";  // of a checkpoint's folder
  if (text.find('/') != std::string_view::npos && std::filesystem::exists(file)) {
    return file.lexically_normal().string();
  }
  if (is_network_file(text)) {
    return std::string(text);
  }
  const auto wanted = bare(text);
  const auto found = built_in(wanted, text);
  const auto base = without_form(text);        // of a hub's name what is behind the owner's
  constexpr std::string_view weights = ".pt";  // as a file of Ultralytics' is called
  auto own = base.substr(base.find_last_of('/') + 1);
  own.remove_suffix(own.ends_with(weights) ? weights.size() : 0);
  const auto of_owner = bare(own);
  const auto known = built_in(of_owner, own);
  const auto formed = known ? known : language_model_meant(of_owner, own);
  const bool has_form = base.size() < text.size();
  const bool of_hub = std::count(base.begin(), base.end(), '/') == 1 && !base.starts_with('.');
  if (formed && ((of_hub && !has_form) || takes_parts(*formed))) {
    return with_form(*formed, text.substr(base.size()));
  }
  const auto named = without_remark(text);
  const auto versioned = found ? found : built_in(without_version(named), text);
  const auto plain = versioned ? versioned : language_model_meant(named, text);
  if (!plain) {
    const auto known_as = [](std::string_view one) { return built_in(one, one); };
    const auto of_timm = timm_network(text, known_as);
    const bool hub_before = base == "hf-hub" || base == "hf_hub";  // no form is behind that colon
    return of_timm ? with_form(*of_timm, hub_before ? "" : text.substr(base.size()))
                   : std::string(said);
  }
  return std::string(*plain);
}

bool means_no_gpu(std::string_view text) {
  const auto word = bare(text);
  return word.empty() || word == "none" || word == "cpu" || word == "nonecpu" ||
         word == "cpuonly" || word == "no" || word == "0" || word == "na";
}

}  // namespace rightsize
