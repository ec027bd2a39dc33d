#include "advisor/query/words.h"

#include <fstream>

#include <doctest/doctest.h>

#include "advisor/query/query.h"
#include "advisor/query/software_words.h"
#include "kernels/engine.h"
#include "kernels/network.h"
#include "kernels/networks/language_models.h"
#include "support/temporary_folder.h"

using namespace rightsize;

TEST_CASE("words: networks as people and papers write them") {
  CHECK(network_meant("ResNet-50") == "resnet50");
  CHECK(network_meant("resnet50_v1.5") == "resnet50");
  CHECK(network_meant("ResNet-50 v1.5") == "resnet50");
  CHECK(network_meant("RN50") == "resnet50");
  CHECK(network_meant("Inception v3") == "inception-v3");
  CHECK(network_meant("InceptionV3") == "inception-v3");
  CHECK(network_meant("VGG16") == "vgg16");
  CHECK(network_meant("VGG-16") == "vgg16");
  CHECK(network_meant("BERT-base") == "bert-base");
  CHECK(network_meant("bert_base_uncased") == "bert-base");
  CHECK(network_meant("distilbert-base-uncased") == "distilbert-base");
  CHECK(network_meant("XLM-R base") == "xlm-roberta-base");
  CHECK(network_meant("all-MiniLM-L6-v2") == "minilm-l6");
  CHECK(network_meant("bge-base-en-v1.5") == "bge-base");
  CHECK(network_meant("GPT2") == "gpt2");
  CHECK(network_meant("MobileNetV2") == "mobilenet-v2");
  CHECK(network_meant("EfficientNet B4") == "efficientnet-b4");
  CHECK(network_meant("efficientnet_v2_s") == "efficientnet-v2-s");
  CHECK(network_meant("mobilenet_v3_large") == "mobilenet-v3-large");
  CHECK(network_meant("convnext_tiny") == "convnext-tiny");
  CHECK(network_meant("DenseNet-121") == "densenet121");
  CHECK(network_meant("vit_large_patch16_224") == "vit-l16");
  CHECK(network_meant("DeiT-S") == "vit-s16");
  CHECK(network_meant("wide_resnet50_2") == "wide-resnet50-2");
  CHECK(network_meant("regnety_160") == "regnety-160");
  CHECK(network_meant("regnet_y_16gf") == "regnet_y_16gf");
  CHECK(network_meant("GoogLeNet") == "googlenet");
  CHECK(network_meant("cifar10_cnn") == "cifar10-cnn");
  CHECK(network_meant("CaffeNet (AlexNet variant)") == "alexnet");
  CHECK(network_meant("imdb_bidirectional_lstm") == "imdb-lstm");
  CHECK(network_meant("models/mine.onnx") == "models/mine.onnx");
  CHECK(network_meant("Banana-9") == "Banana-9");
}

TEST_CASE("words: a version that is another network is not taken for the one we have") {
  CHECK(network_meant("Inception-v2") == "inception-bn");
  CHECK(network_meant("inception_v2") == "inception-bn");
  CHECK(network_meant("ResNet-50 (v1.5)") == "resnet50");
  CHECK(network_meant("resnet152_v2") == "resnet152");
  for (const auto* other :
       {"MobileNet-v1", "MobileNet (v1)", "mobilenet_v3", "VGG16 v2", "alexnet v2", "vit v2"}) {
    CHECK(network_meant(other) == other);
    CHECK_THROWS_AS(static_cast<void>(make_network(other)), UnknownNetwork);
  }
}

TEST_CASE("words: every built-in network is meant by its own name and title") {
  for (const auto& info : builtin_networks()) {
    CHECK(network_meant(info.name) == info.name);
    CHECK(network_meant(info.title) == info.name);
  }
}

TEST_CASE("words: a language model is meant by its hub's name, however it was tuned") {
  for (const auto& model : language_models()) {
    CHECK(network_meant(model.name) == model.name);
    CHECK(network_meant(model.title) == model.name);
  }
  for (const auto& [name, meant] :
       {std::pair{"Qwen/Qwen2.5-7B-Instruct", "qwen2.5-7b"},
        {"meta-llama/Llama-2-7b-chat-hf", "llama-2-7b"},
        {"meta-llama/Meta-Llama-3.1-8B-Instruct", "llama-8b"},
        {"meta-llama/Llama-3.3-70B-Instruct", "llama-70b"},
        {"mistralai/Mistral-7B-Instruct-v0.3", "mistral-7b"},
        {"mistralai/Mistral-Nemo-Instruct-2407", "mistral-nemo-12b"},
        {"mistralai/Mixtral-8x7B-Instruct-v0.1", "mixtral-8x7b"},
        {"google/gemma-2-9b-it", "gemma-2-9b"},
        {"microsoft/Phi-3-mini-4k-instruct", "phi-3-mini"},
        {"Qwen/Qwen3-30B-A3B-Instruct-2507", "qwen3-30b-a3b"},
        {"deepseek-ai/DeepSeek-R1-0528", "deepseek-v3"},
        {"openai/gpt-oss-20b", "gpt-oss-20b"},
        {"mistralai/Mistral-Small-Instruct-2409", "codestral-22b"},
        {"lmsys/vicuna-7b-v1.5", "llama-2-7b"},
        {"facebook/opt-6.7b", "opt-6.7b"},
        {"facebook/opt-13b", "opt-13b"},
        {"EleutherAI/pythia-6.9b-deduped", "pythia-6.9b"},
        {"EleutherAI/gpt-neox-20b", "gpt-neox-20b"},
        {"EleutherAI/gpt-j-6b", "gpt-j-6b"},
        {"tiiuae/falcon-7b-instruct", "falcon-7b"},
        {"bigscience/bloom", "bloom-176b"},
        {"bigscience/bloomz-7b1", "bloom-7b1"},
        {"microsoft/phi-1_5", "phi-1.5"},
        {"bigcode/starcoder2-7b", "starcoder2-7b"},
        {"stabilityai/stablelm-2-1_6b-chat", "stablelm-2-1.6b"},
        {"CohereForAI/c4ai-command-r-v01", "command-r"},
        {"CohereForAI/c4ai-command-r-plus-08-2024", "command-r-plus"},
        {"Command R+", "command-r-plus"},
        {"allenai/OLMo-2-1124-7B-Instruct", "olmo-2-7b"},
        {"ibm-granite/granite-3.3-8b-instruct", "granite-3-8b"},
        {"meta-llama/Llama-4-Scout-17B-16E-Instruct", "llama-4-scout"},
        {"Qwen/Qwen3-Next-80B-A3B-Instruct", "qwen3-next-80b-a3b"},
        {"Qwen/Qwen3-Coder-Next", "qwen3-next-80b-a3b"},
        {"Qwen/Qwen3.5-27B", "qwen3.5-27b"},
        {"Qwen/Qwen3.6-35B-A3B", "qwen3.5-35b-a3b"},
        {"nvidia/Nemotron-H-8B-Base-8K", "nemotron-h-8b"},
        {"nvidia/NVIDIA-Nemotron-Nano-9B-v2", "nemotron-nano-2-9b"},
        {"nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", "nemotron-3-nano-30b-a3b"},
        {"ibm-granite/granite-4.0-h-small", "granite-4.0-h-small"},
        {"ibm-granite/granite-4.0-h-tiny-base", "granite-4.0-h-tiny"},
        {"tiiuae/Falcon-H1-34B-Instruct", "falcon-h1-34b"},
        {"ibm-ai-platform/Bamba-9B-v2", "bamba-9b"},
        {"ai21labs/AI21-Jamba-1.5-Mini", "jamba-mini"},
        {"mistralai/Mamba-Codestral-7B-v0.1", "codestral-mamba-7b"},
        {"state-spaces/mamba-2.8b-hf", "mamba-2.8b"},
        {"NousResearch/Hermes-3-Llama-3.1-8B", "llama-8b"},
        {"NousResearch/Hermes-4-70B", "llama-70b"},
        {"allenai/Llama-3.1-Tulu-3-8B", "llama-8b"},
        {"nvidia/Llama-3.1-Nemotron-Nano-8B-v1", "llama-8b"},
        {"mistral-7b-instruct", "mistral-7b"}}) {
    CHECK(network_meant(name) == meant);
  }
  // Weights in another form are another question, and another kind of network another network.
  for (const auto* other :
       {"Qwen/Qwen2.5-7B-Instruct-AWQ", "vit-b16-chat", "llama-9b-it", "qwen2-57b", "gemma-22b"}) {
    CHECK(network_meant(other) == other);
  }
}

TEST_CASE("words: the folder of a checkpoint is its config.json, whatever it is called") {
  const TemporaryFolder folder;
  const auto file = folder.write("whisper/config.json", "{}");
  CHECK(network_meant(folder / "whisper") == file);
  CHECK(network_meant("openai/whisper-tiny") == "whisper-tiny");
}

TEST_CASE("words: phases, precisions, data and stacks") {
  CHECK(phase_meant("Training") == Phase::train);
  CHECK(phase_meant("inference") == Phase::infer);
  CHECK(phase_meant("forward_backward") == Phase::forward_backward);
  CHECK_FALSE(phase_meant("dreaming"));
  CHECK(precision_meant("AMP") == Precision::fp16);
  CHECK(precision_meant("mixed precision") == Precision::fp16);
  CHECK(precision_meant("FP16") == Precision::fp16);
  CHECK(precision_meant("TF32") == Precision::tf32);
  CHECK(precision_meant("bfloat16") == Precision::bf16);
  CHECK(precision_meant("float32") == Precision::fp32);
  CHECK(precision_meant("mixed FP8") == Precision::fp8);
  CHECK(precision_meant("MXFP8") == Precision::fp8);
  for (const auto* unknown : {"int8", "float64", "fp64", "double", "nvfp4", "int4"}) {
    CHECK_FALSE(precision_meant(unknown));
  }
  CHECK(data_meant("real") == DataFormat::recordio);
  CHECK(data_meant("ImageNet (TFRecord)") == DataFormat::tfrecord);
  CHECK(data_meant("Synthetic") == DataFormat::synthetic);
  CHECK_FALSE(data_meant("telepathy"));
  CHECK(stack_meant("2017") == Stack::era);
  CHECK(stack_meant("2024") == Stack::current);
  CHECK(stack_meant("era") == Stack::era);
  for (const auto* unknown : {"never", "1999", "2011", "2345"}) {
    CHECK_FALSE(stack_meant(unknown));
  }
  const auto torch = software_meant("PyTorch 2.1");
  REQUIRE(torch);
  CHECK(torch->framework == "PyTorch");
  CHECK_FALSE(torch->stack);
  const auto tensorflow = software_meant("TF-1.7 (2018)");
  REQUIRE(tensorflow);
  CHECK(tensorflow->framework == "TensorFlow");
  CHECK(tensorflow->stack == Stack::era);
  CHECK(software_meant("Torch7")->stack == Stack::era);
  CHECK(software_meant("current")->framework.empty());
  CHECK_FALSE(software_meant("Fortran"));
  REQUIRE(software_meant("keras"));
  CHECK(software_meant("keras")->framework == "TensorFlow");
  CHECK_FALSE(software_meant("keras")->stack);  // it ends as "eras" does
  CHECK(software_meant("Keras 2017")->stack == Stack::era);
}

TEST_CASE("words: every word of a phrase has to be known") {
  for (const auto* not_one :
       {"restrained", "constraint", "unlearned", "preserve", "not training"}) {
    CHECK_FALSE(phase_meant(not_one));
  }
  for (const auto* not_one : {"clamp", "unmixed", "fp32 (no TF32)", "floating", "halfway", ""}) {
    CHECK_FALSE(precision_meant(not_one));
  }
  for (const auto* not_one : {"surreal", "context", "nonexistent", "tokenring", "betoken real"}) {
    CHECK_FALSE(data_meant(not_one));
  }
  for (const auto* not_one : {"operational", "golden", "camera", "bold 2017"}) {
    CHECK_FALSE(stack_meant(not_one));
  }
  for (const auto* not_one : {"blowtorch", "golden", "artful", "NGC 20.12"}) {
    CHECK_FALSE(software_meant(not_one));
  }
}

TEST_CASE("words: two that say different things mean nothing, one that tells more decides") {
  CHECK_FALSE(phase_meant("training and inference"));
  CHECK_FALSE(phase_meant("training inference"));
  CHECK_FALSE(precision_meant("fp16 bf16"));
  CHECK_FALSE(data_meant("LMDB RecordIO"));
  CHECK(precision_meant("AMP (bf16)") == Precision::bf16);
  CHECK(precision_meant("FP16/FP32 mixed") == Precision::fp16);
  CHECK(precision_meant("FP32 (TF32)") == Precision::tf32);
  CHECK(data_meant("Synthetic ImageNet") == DataFormat::synthetic);
  CHECK(data_meant("real CIFAR-10") == DataFormat::cifar);
}

TEST_CASE("words: spellings of tables and papers stay understood") {
  for (const auto* training : {"train", "training", "Fine-Tuning", "finetune", "pre-training"}) {
    CHECK(phase_meant(training) == Phase::train);
  }
  for (const auto* inference : {"infer", "Inference", "offline inference", "serving", "eval"}) {
    CHECK(phase_meant(inference) == Phase::infer);
  }
  CHECK(phase_meant("token generation") == Phase::decode);
  CHECK(phase_meant("forward + backward") == Phase::forward_backward);
  for (const auto* half : {"fp16", "amp-fp16", "mixed", "Float 16", "16-bit", "half precision"}) {
    CHECK(precision_meant(half) == Precision::fp16);
  }
  CHECK(precision_meant("amp_bf16") == Precision::bf16);
  CHECK(data_meant("Tf-Records") == DataFormat::tfrecord);
  CHECK(data_meant("ImageNet-1k (JPEG files)") == DataFormat::jpeg);
  CHECK(data_meant("in memory") == DataFormat::synthetic);
  CHECK(data_meant("MXNet RecordIO") == DataFormat::recordio);
  CHECK(data_meant("WikiText-103") == DataFormat::tokens);
  CHECK(software_meant("tf1.7")->framework == "TensorFlow");
  CHECK(software_meant("NGC 20.12 PyTorch")->framework == "PyTorch");
  CHECK_FALSE(software_meant("NGC 20.12 PyTorch")->stack);  // a version, not the year 2012
  CHECK(software_meant("TensorFlow XLA (models)")->framework == "TensorFlow XLA");
  CHECK(software_meant("2017-era")->stack == Stack::era);
  for (const auto* eager : {"PyTorch, not compiled", "PyTorch without torch.compile"}) {
    CHECK(software_meant(eager)->framework == "PyTorch");
  }
  for (const auto* other : {"Caffe2", "Caffe2 (2018)", "caffe2-gpu", "TensorRT-LLM 0.6"}) {
    CHECK_FALSE(software_meant(other));
  }
  for (const auto* caffe : {"Caffe 2016", "Caffe (2015)", "Caffe 1.0", "NVCaffe 2017"}) {
    CHECK(software_meant(caffe)->framework == "Caffe");
  }
  CHECK(software_meant("NVCaffe")->framework == "Caffe");
  for (const auto* compiled : {"PyTorch compile",
                               "torch.compile",
                               "PyTorch 2.1 (inductor)",
                               "torch.compile, no CUDA graphs",
                               "PyTorch compiled, not quantized"}) {
    CHECK(software_meant(compiled)->framework == "PyTorch compile");
  }
  for (const auto* eager : {"PyTorch, not compiled",
                            "PyTorch without torch.compile",
                            "PyTorch eager",
                            "PyTorch (no compile)"}) {
    CHECK(software_meant(eager)->framework == "PyTorch");
  }
  CHECK(software_meant("TorchScript")->framework == "PyTorch TorchScript");
  CHECK(software_meant("PyTorch DeepSpeed")->framework == "PyTorch DeepSpeed");
  CHECK(software_meant("JAX")->framework == "JAX");
  CHECK(software_meant("Gluon")->framework == "MXNet");
  CHECK(software_meant("Caffe")->stack == Stack::era);
  CHECK(software_meant("TensorFlow 2019")->stack == Stack::current);
  CHECK(software_meant("TensorFlow 2018")->stack == Stack::era);
}

TEST_CASE("words: AlexNet is its framework's, in a job as in a table") {
  const auto form_of = [](const char* framework) {
    NetworkStep step;
    step.network = "alexnet";
    step.framework = framework;
    take_form_of_framework(step);
    return step.network;
  };
  CHECK(form_of("PyTorch compile") == "alexnet-owt");
  CHECK(form_of("MXNet") == "alexnet-mxnet");
  CHECK(form_of("Caffe") == "alexnet");
  CHECK(form_of("") == "alexnet");
  const TemporaryFolder folder;
  std::ofstream(folder / "job.toml") << R"(
[job]
network = "alexnet"
framework = "PyTorch"
[data]
items = 10
format = "synthetic"
)";
  auto job = load_query(folder / "job.toml");
  CHECK(job.network == "alexnet-owt");
  job.framework = "MXNet";  // as a flag says after the file
  take_form_of_framework(job);
  CHECK(job.network == "alexnet-mxnet");
  job.framework = "Caffe";
  take_form_of_framework(job);
  CHECK(job.network == "alexnet");
  NetworkStep asked;
  asked.network = "alexnet-owt";
  asked.framework = "MXNet";
  take_form_of_framework(asked);  // whoever names the form means it
  CHECK(asked.network == "alexnet-owt");
}

TEST_CASE("words: a machine without a GPU") {
  for (const auto* text : {"", "none", "CPU", "none (CPU)", "-", "N/A"}) {
    CHECK(means_no_gpu(text));
  }
  CHECK_FALSE(means_no_gpu("V100"));
}
