#include "kernels/networks/encoder_head.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace rightsize {
namespace {

constexpr std::string_view question_answering = "ForQuestionAnswering";
constexpr std::string_view pre_training = "ForPreTraining";

struct Ending {
  std::string_view of_class;
  EncoderHead head;
};

constexpr std::array<Ending, 6> endings{{{"ForMaskedLM", EncoderHead::masked_words},
                                         {pre_training, EncoderHead::masked_words},
                                         {"ForSequenceClassification", EncoderHead::pooled_scores},
                                         {"ForTokenClassification", EncoderHead::scores},
                                         {question_answering, EncoderHead::scores},
                                         {"Model", EncoderHead::features}}};

std::string class_of(const ConfigFile& file) {
  const auto* classes = file.list("architectures");
  if (classes == nullptr || classes->empty()) {
    return "Model";
  }
  const auto* name = classes->front().if_string();
  if (name == nullptr) {
    file.fail("architectures", "is not a list of words");
  }
  return std::string(*name);
}

EncoderHead head_of(const ConfigFile& file, std::string_view name) {
  const auto* found = std::find_if(endings.begin(), endings.end(), [&](const Ending& ending) {
    return name.ends_with(ending.of_class);
  });
  if (found == endings.end() || name.ends_with("LMHeadModel")) {
    file.fail("architectures",
              fmt::format("has \"{}\"; of encoders known are ...ForMaskedLM, ...ForPreTraining, "
                          "...ForSequenceClassification, ...ForTokenClassification, "
                          "...ForQuestionAnswering and ...Model",
                          name));
  }
  return found->head;
}

// transformers' classes of these have one unless told otherwise.
bool has_pooler(std::string_view type) {
  return type != "distilbert" && type != "electra" && type != "modernbert" &&
         type != "nomic_bert" && type != "deberta-v2";
}

// What a file says may not be what its owner runs: embedders are published under the class that
// they were trained as (all-mpnet-base-v2).
void note_words(std::string_view name, EncoderConfig& config) {
  config.notes.emplace_back(fmt::format(
      "its \"architectures\" says {}, so scores of all words are counted: of an embedder write "
      "the class ...Model there, of a classifier ...ForSequenceClassification",
      name));
}

}  // namespace

void read_encoder_head(const ConfigFile& file, EncoderConfig& config) {
  const auto type = file.word_or("model_type", "");
  const auto name = class_of(file);
  config.head = head_of(file, name);
  config.tied = file.flag_or("tie_word_embeddings", true);
  config.pooler = has_pooler(type);
  if (type == "distilbert") {
    config.pooled = std::nullopt;
  } else if (type == "electra" || type == "deberta-v2") {
    config.pooled = Activation::gelu;
  }
  config.outputs = file.positive_or("num_labels", file.entries_or("id2label", 2));
  if (name.ends_with(question_answering)) {
    config.outputs = 2;  // that an answer starts here, and that it ends
    config.notes.emplace_back(
        "the softmax of its answers runs along the sequence, here over both scores of a position: "
        "as little work");
  }
  if (type == "electra" && name.ends_with(pre_training)) {
    config.head = EncoderHead::features;
    config.notes.emplace_back(
        "its head of pre-training, one score a position, is left out, and the generator beside it");
  } else if (config.head == EncoderHead::masked_words) {
    note_words(name, config);
  }
}

}  // namespace rightsize
