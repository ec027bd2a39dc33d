#include "advisor/report/work_words.h"

#include <algorithm>

#include "advisor/query/job_work.h"
#include "kernels/networks/diffusion/diffusion.h"
#include "kernels/networks/encoder_decoder/encoder_decoder.h"
#include "kernels/networks/language_models.h"
#include "kernels/networks/recommendation/recommendation.h"
#include "kernels/work.h"

namespace rightsize::report {
namespace {

constexpr WorkWords images{"images", "img/s"};
constexpr WorkWords sequences{"sequences", "sequences/s"};
constexpr WorkWords samples{"samples", "samples/s"};
constexpr WorkWords clips{"clips", "clips/s"};
constexpr WorkWords tokens{"tokens", "tokens/s"};
constexpr WorkWords texts{"texts", "texts/s"};
constexpr WorkWords requests{"requests", "requests/s"};
constexpr WorkWords items{"items", "items/s"};

const NetworkInfo* built_in(const std::string& network) {
  const auto known = builtin_networks();
  const auto found = std::find_if(
      known.begin(), known.end(), [&](const NetworkInfo& info) { return info.name == network; });
  return found == known.end() ? nullptr : &*found;
}

WorkWords by_name(const std::string& network) {
  const auto* info = built_in(network);
  if (network.ends_with(".onnx")) {
    return items;
  }
  if (is_recommendation(network)) {
    return samples;
  }
  if (const auto writer = encoder_decoder(network)) {
    return writer->sequence > 0 ? sequences : clips;
  }
  return network.ends_with(".json") || language_model(network) != nullptr ||
                 (info != nullptr && info->sequence > 0)
             ? sequences
             : images;
}

WorkWords by_input(const std::string& network) {
  if (built_in(network) != nullptr || language_model(network) != nullptr ||
      is_encoder_decoder(network) || is_recommendation(network)) {
    return by_name(network);
  }
  try {
    const auto made = make_network(network);
    return made.reads_tokens() && !makes_pictures(made) ? sequences : images;
  } catch (const std::exception&) {
    return items;
  }
}

}  // namespace

WorkWords words_by_name(const Workload& work) {
  return work.requests ? requests : work.phase == Phase::decode ? tokens : by_name(work.network);
}

WorkWords words_of(const Record& record) {
  const auto& work = record.workload;
  const auto said = record.software.find("input");
  if (work.requests || work.phase == Phase::decode || said == record.software.end()) {
    return words_by_name(work);
  }
  return said->second == "sound"                                   ? clips
         : is_recommendation(work.network)                         ? samples
         : said->second == "tokens" && !is_diffusion(work.network) ? sequences
                                                                   : images;
}

WorkWords words_of(const Workload& work) {
  return work.requests ? requests : work.phase == Phase::decode ? tokens : by_input(work.network);
}

WorkWords words_of(const Query& query) {
  if (query.service) {
    return requests;
  }
  switch (work_of(query)) {
    case JobWork::preprocessing:
      return images;
    case JobWork::program:
      return items;
    case JobWork::network:
      break;
  }
  return query.writing.of_texts()       ? texts
         : query.phase == Phase::decode ? tokens
                                        : by_input(query.network);
}

}  // namespace rightsize::report
