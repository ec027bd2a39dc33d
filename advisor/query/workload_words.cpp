#include "advisor/query/workload_words.h"

#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/query/exact_words.h"
#include "advisor/query/toml_fields.h"
#include "models/laws/spelling.h"

namespace rightsize {
namespace {

constexpr auto beside = Telling::beside;
constexpr auto little = Telling::little;
constexpr auto more = Telling::more;
constexpr auto most = Telling::most;

// "AMP" and "mixed" are of FP16 where no width is named; "FP16/FP32" is how they are written, too.
constexpr std::array precisions{
    Spelling<Precision>{"fp32", more, Precision::fp32},
    Spelling<Precision>{"tf32", most, Precision::tf32},
    Spelling<Precision>{"fp16", most, Precision::fp16},
    Spelling<Precision>{"bf16", most, Precision::bf16},
    Spelling<Precision>{"fp8", most, Precision::fp8},
    Spelling<Precision>{"float8", most, Precision::fp8},
    Spelling<Precision>{"f8", most, Precision::fp8},
    Spelling<Precision>{"mxfp8", most, Precision::fp8},
    Spelling<Precision>{"amp", little, Precision::fp16},
    Spelling<Precision>{"mixed", little, Precision::fp16},
    Spelling<Precision>{"half", most, Precision::fp16},
    Spelling<Precision>{"float16", most, Precision::fp16},
    Spelling<Precision>{"f16", most, Precision::fp16},
    Spelling<Precision>{"16bit", most, Precision::fp16},
    Spelling<Precision>{"bfloat16", most, Precision::bf16},
    Spelling<Precision>{"tensorfloat32", most, Precision::tf32},
    Spelling<Precision>{"single", more, Precision::fp32},
    Spelling<Precision>{"full", more, Precision::fp32},
    Spelling<Precision>{"float", more, Precision::fp32},
    Spelling<Precision>{"float32", more, Precision::fp32},
    Spelling<Precision>{"f32", more, Precision::fp32},
    Spelling<Precision>{"32bit", more, Precision::fp32},
    Spelling<Precision>{"precision", beside},
    Spelling<Precision>{"automatic", beside},
    Spelling<Precision>{"auto", beside},
    Spelling<Precision>{"native", beside},
    Spelling<Precision>{"apex", beside},
    Spelling<Precision>{"o1", beside},
    Spelling<Precision>{"o2", beside},
    Spelling<Precision>{"with", beside},
    Spelling<Precision>{"training", beside},
    Spelling<Precision>{"tensorcore", beside},
};

constexpr std::array phases{
    Spelling<Phase>{"train", most, Phase::train},
    Spelling<Phase>{"training", most, Phase::train},
    Spelling<Phase>{"trained", most, Phase::train},
    Spelling<Phase>{"pretraining", most, Phase::train},
    Spelling<Phase>{"finetune", most, Phase::train},
    Spelling<Phase>{"finetuning", most, Phase::train},
    Spelling<Phase>{"tuning", most, Phase::train},
    Spelling<Phase>{"learn", most, Phase::train},
    Spelling<Phase>{"learning", most, Phase::train},
    Spelling<Phase>{"infer", most, Phase::infer},
    Spelling<Phase>{"inference", most, Phase::infer},
    Spelling<Phase>{"inferencing", most, Phase::infer},
    Spelling<Phase>{"serve", most, Phase::infer},
    Spelling<Phase>{"serving", most, Phase::infer},
    Spelling<Phase>{"predict", most, Phase::infer},
    Spelling<Phase>{"prediction", most, Phase::infer},
    Spelling<Phase>{"predicting", most, Phase::infer},
    Spelling<Phase>{"score", most, Phase::infer},
    Spelling<Phase>{"scoring", most, Phase::infer},
    Spelling<Phase>{"eval", most, Phase::infer},
    Spelling<Phase>{"evaluate", most, Phase::infer},
    Spelling<Phase>{"evaluation", most, Phase::infer},
    Spelling<Phase>{"validate", most, Phase::infer},
    Spelling<Phase>{"validation", most, Phase::infer},
    Spelling<Phase>{"prefill", most, Phase::infer},
    Spelling<Phase>{"decode", most, Phase::decode},
    Spelling<Phase>{"decoding", most, Phase::decode},
    Spelling<Phase>{"generate", most, Phase::decode},
    Spelling<Phase>{"generating", most, Phase::decode},
    Spelling<Phase>{"generation", most, Phase::decode},
    Spelling<Phase>{"generativeinference", most, Phase::decode},
    Spelling<Phase>{"preproc", most, Phase::preprocess},
    Spelling<Phase>{"preprocess", most, Phase::preprocess},
    Spelling<Phase>{"preprocessing", most, Phase::preprocess},
    Spelling<Phase>{"forward", most, Phase::forward},
    Spelling<Phase>{"forwardbackward", most, Phase::forward_backward},
    Spelling<Phase>{"phase", beside},
    Spelling<Phase>{"mode", beside},
    Spelling<Phase>{"only", beside},
    Spelling<Phase>{"pass", beside},
    Spelling<Phase>{"job", beside},
    Spelling<Phase>{"workload", beside},
    Spelling<Phase>{"model", beside},
    Spelling<Phase>{"image", beside},
    Spelling<Phase>{"data", beside},
    Spelling<Phase>{"text", beside},
    Spelling<Phase>{"token", beside},
    Spelling<Phase>{"llm", beside},
    Spelling<Phase>{"offline", beside},
    Spelling<Phase>{"online", beside},
    Spelling<Phase>{"batch", beside},
    Spelling<Phase>{"batched", beside},
    Spelling<Phase>{"distributed", beside},
    Spelling<Phase>{"throughput", beside},
};

// How the data lies tells more than which it is; "real" is all that is known of "real data".
constexpr std::array data_words{
    Spelling<DataFormat>{"synthetic", most, DataFormat::synthetic},
    Spelling<DataFormat>{"jpeg", most, DataFormat::jpeg},
    Spelling<DataFormat>{"recordio", most, DataFormat::recordio},
    Spelling<DataFormat>{"lmdb", most, DataFormat::lmdb},
    Spelling<DataFormat>{"tfrecord", most, DataFormat::tfrecord},
    Spelling<DataFormat>{"mnist", more, DataFormat::mnist},
    Spelling<DataFormat>{"cifar", more, DataFormat::cifar},
    Spelling<DataFormat>{"cifar10", more, DataFormat::cifar},
    Spelling<DataFormat>{"cifar100", more, DataFormat::cifar},
    Spelling<DataFormat>{"token", more, DataFormat::tokens},
    Spelling<DataFormat>{"tokenized", more, DataFormat::tokens},
    Spelling<DataFormat>{"text", more, DataFormat::tokens},
    Spelling<DataFormat>{"wikitext", more, DataFormat::tokens},
    Spelling<DataFormat>{"wikitext2", more, DataFormat::tokens},
    Spelling<DataFormat>{"wikitext103", more, DataFormat::tokens},
    Spelling<DataFormat>{"openwebtext", more, DataFormat::tokens},
    Spelling<DataFormat>{"imagenet", little, DataFormat::recordio},
    Spelling<DataFormat>{"imagenet1k", little, DataFormat::recordio},
    Spelling<DataFormat>{"imagenet2012", little, DataFormat::recordio},
    Spelling<DataFormat>{"real", little, DataFormat::recordio},
    Spelling<DataFormat>{"synth", most, DataFormat::synthetic},
    Spelling<DataFormat>{"fake", most, DataFormat::synthetic},
    Spelling<DataFormat>{"dummy", most, DataFormat::synthetic},
    Spelling<DataFormat>{"random", most, DataFormat::synthetic},
    Spelling<DataFormat>{"none", most, DataFormat::synthetic},
    Spelling<DataFormat>{"inmemory", most, DataFormat::synthetic},
    Spelling<DataFormat>{"recfile", most, DataFormat::recordio},
    Spelling<DataFormat>{"jpg", most, DataFormat::jpeg},
    Spelling<DataFormat>{"imagefolder", most, DataFormat::jpeg},
    Spelling<DataFormat>{"data", beside},
    Spelling<DataFormat>{"dataset", beside},
    Spelling<DataFormat>{"set", beside},
    Spelling<DataFormat>{"image", beside},
    Spelling<DataFormat>{"picture", beside},
    Spelling<DataFormat>{"file", beside},
    Spelling<DataFormat>{"folder", beside},
    Spelling<DataFormat>{"format", beside},
    Spelling<DataFormat>{"input", beside},
    Spelling<DataFormat>{"ilsvrc", beside},
    Spelling<DataFormat>{"ilsvrc2012", beside},
    Spelling<DataFormat>{"2012", beside},
    Spelling<DataFormat>{"1k", beside},
    Spelling<DataFormat>{"mxnet", beside},
    Spelling<DataFormat>{"tensorflow", beside},
    Spelling<DataFormat>{"caffe", beside},
    Spelling<DataFormat>{"train", beside},
    Spelling<DataFormat>{"training", beside},
    Spelling<DataFormat>{"val", beside},
    Spelling<DataFormat>{"validation", beside},
    Spelling<DataFormat>{"as", beside},
    Spelling<DataFormat>{"from", beside},
    Spelling<DataFormat>{"in", beside},
    Spelling<DataFormat>{"on", beside},
    Spelling<DataFormat>{"local", beside},
    Spelling<DataFormat>{"disk", beside},
    Spelling<DataFormat>{"ssd", beside},
    Spelling<DataFormat>{"nvme", beside},
};

// "train, training, ...; \"trained\" is the nearest": where that is near at all.
std::string listed(std::vector<std::string> words, std::string_view written) {
  const auto near = nearest_word(bare(written), words);
  return fmt::format("words such as {}{}",
                     fmt::join(words, ", "),
                     near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near));
}

}  // namespace

std::optional<Phase> phase_meant(std::string_view text) {
  return exactly_meant(text, phases);
}

std::optional<Precision> precision_meant(std::string_view text) {
  const auto word = bare(text);
  if (word == "16" || word == "32") {
    return word == "16" ? Precision::fp16 : Precision::fp32;
  }
  return exactly_meant(text, precisions);
}

std::optional<DataFormat> data_meant(std::string_view text) {
  return exactly_meant(text, data_words);
}

std::string known_phases(std::string_view written) {
  return listed(telling_words(phases), written);
}

std::string known_precisions(std::string_view written) {
  return listed(telling_words(precisions), written);
}

std::string known_data(std::string_view written) {
  return listed(telling_words(data_words), written);
}

}  // namespace rightsize
