// The visible table of built-in networks.
#include <array>
#include <vector>

#include "kernels/networks/classification/classifiers.h"
#include "kernels/networks/families.h"
#include "kernels/networks/language_embedders.h"

namespace rightsize {
namespace {

constexpr std::string_view bge_paper = "Xiao et al., SIGIR 2024, v1.5, English";
constexpr std::string_view e5_paper = "Wang et al., 2024, Multilingual E5";
constexpr std::string_view clip_paper = "Radford et al., ICML 2021, CLIP";
constexpr std::string_view llama3_paper = "The Llama 3 Herd of Models, 2024";
constexpr std::string_view mixtral_paper = "Jiang et al., Mixtral of Experts, 2024";
constexpr std::string_view convnext_v2_paper = "Woo et al., CVPR 2023, ConvNeXt V2";
constexpr std::string_view swin_paper = "Liu et al., ICCV 2021, Swin";
constexpr std::string_view gte_source = "Zhang et al., EMNLP 2024, mGTE";
constexpr std::string_view jina_source = "Guenther et al., Jina Embeddings 2, 2023";
constexpr std::string_view albert_paper = "Lan et al., ICLR 2020, ALBERT";
constexpr std::string_view deberta_paper = "He et al., ICLR 2023, DeBERTaV3";
constexpr std::string_view modernbert_paper = "Warner et al., 2024, ModernBERT";
constexpr std::string_view mpt_source = "mosaicml/llm-foundry, MPT";
constexpr std::string_view resnet_paper = "He et al., CVPR 2016, v1.5 strides";
constexpr std::string_view resnext_paper = "Xie et al., CVPR 2017";
constexpr std::string_view efficientnet_paper = "Tan and Le, ICML 2019";
constexpr std::string_view efficientnet_v2_paper = "Tan and Le, ICML 2021";
constexpr std::string_view mobilenet_v3_paper = "Howard et al., ICCV 2019";
constexpr std::string_view convnext_paper = "Liu et al., CVPR 2022";
constexpr std::string_view densenet_paper = "Huang et al., CVPR 2017";
constexpr std::string_view regnet_paper = "Radosavovic et al., CVPR 2020";
constexpr std::string_view vit_paper = "Dosovitskiy et al., ICLR 2021";
constexpr std::string_view siglip_paper = "Zhai et al., ICCV 2023, SigLIP";
constexpr std::string_view roberta_paper = "Liu et al., 2019, RoBERTa";
constexpr std::string_view xlm_roberta_paper = "Conneau et al., ACL 2020";
constexpr std::string_view ptb_paper = "Zaremba et al., 2014, TensorFlow's ptb_word_lm.py";

// A network that reads no tokens has no sequence to choose.
template <Network (*make)()>
Network fixed(int) {
  return make();
}

constexpr std::array networks{
    NetworkInfo{
        "alexnet", "AlexNet", "Krizhevsky et al., NIPS 2012, Caffe form", fixed<make_alexnet>},
    NetworkInfo{"alexnet-owt",
                "AlexNet, one tower",
                "Krizhevsky, 2014, torchvision's",
                fixed<make_alexnet_owt>},
    NetworkInfo{"alexnet-mxnet",
                "AlexNet, MXNet's",
                "MXNet's symbol_alexnet.py",
                fixed<make_alexnet_mxnet>},
    NetworkInfo{"resnet18", "ResNet-18", resnet_paper, fixed<make_resnet18>},
    NetworkInfo{"resnet34", "ResNet-34", resnet_paper, fixed<make_resnet34>},
    NetworkInfo{"resnet50", "ResNet-50", resnet_paper, fixed<make_resnet50>},
    NetworkInfo{"resnet101", "ResNet-101", resnet_paper, fixed<make_resnet101>},
    NetworkInfo{"resnet152", "ResNet-152", resnet_paper, fixed<make_resnet152>},
    NetworkInfo{"resnet200", "ResNet-200", resnet_paper, fixed<make_resnet200>},
    NetworkInfo{"wide-resnet50-2",
                "Wide ResNet-50-2",
                "Zagoruyko and Komodakis, BMVC 2016",
                fixed<make_wide_resnet50_2>},
    NetworkInfo{"resnet18-cifar",
                "ResNet-18, CIFAR-10",
                "kuangliu/pytorch-cifar",
                fixed<make_resnet18_cifar>},
    NetworkInfo{"resnext50-32x4d", "ResNeXt-50 32x4d", resnext_paper, fixed<make_resnext50>},
    NetworkInfo{"resnext101-32x4d", "ResNeXt-101 32x4d", resnext_paper, fixed<make_resnext101>},
    NetworkInfo{"se-resnext101-32x4d",
                "SE-ResNeXt-101 32x4d",
                "Hu et al., CVPR 2018, NVIDIA's",
                fixed<make_se_resnext101>},
    NetworkInfo{"vgg11", "VGG-11", "Simonyan and Zisserman, ICLR 2015, A", fixed<make_vgg11>},
    NetworkInfo{"vgg16", "VGG-16", "Simonyan and Zisserman, ICLR 2015, D", fixed<make_vgg16>},
    NetworkInfo{"vgg19", "VGG-19", "Simonyan and Zisserman, ICLR 2015, E", fixed<make_vgg19>},
    NetworkInfo{"googlenet", "GoogLeNet", "Szegedy et al., CVPR 2015", fixed<make_googlenet>},
    NetworkInfo{
        "inception-v3", "Inception-v3", "Szegedy et al., CVPR 2016", fixed<make_inception_v3>},
    NetworkInfo{
        "mobilenet-v2", "MobileNetV2", "Sandler et al., CVPR 2018", fixed<make_mobilenet_v2>},
    NetworkInfo{"mobilenet-v3-large",
                "MobileNetV3-Large",
                mobilenet_v3_paper,
                fixed<make_mobilenet_v3_large>},
    NetworkInfo{"mobilenet-v3-small",
                "MobileNetV3-Small",
                mobilenet_v3_paper,
                fixed<make_mobilenet_v3_small>},
    NetworkInfo{
        "efficientnet-b0", "EfficientNet-B0", efficientnet_paper, fixed<make_efficientnet_b0>},
    NetworkInfo{
        "efficientnet-b1", "EfficientNet-B1", efficientnet_paper, fixed<make_efficientnet_b1>},
    NetworkInfo{
        "efficientnet-b2", "EfficientNet-B2", efficientnet_paper, fixed<make_efficientnet_b2>},
    NetworkInfo{
        "efficientnet-b3", "EfficientNet-B3", efficientnet_paper, fixed<make_efficientnet_b3>},
    NetworkInfo{
        "efficientnet-b4", "EfficientNet-B4", efficientnet_paper, fixed<make_efficientnet_b4>},
    NetworkInfo{
        "efficientnet-b5", "EfficientNet-B5", efficientnet_paper, fixed<make_efficientnet_b5>},
    NetworkInfo{
        "efficientnet-b6", "EfficientNet-B6", efficientnet_paper, fixed<make_efficientnet_b6>},
    NetworkInfo{
        "efficientnet-b7", "EfficientNet-B7", efficientnet_paper, fixed<make_efficientnet_b7>},
    NetworkInfo{"efficientnet-v2-s",
                "EfficientNetV2-S",
                efficientnet_v2_paper,
                fixed<make_efficientnet_v2_s>},
    NetworkInfo{"efficientnet-v2-m",
                "EfficientNetV2-M",
                efficientnet_v2_paper,
                fixed<make_efficientnet_v2_m>},
    NetworkInfo{"efficientnet-v2-l",
                "EfficientNetV2-L",
                efficientnet_v2_paper,
                fixed<make_efficientnet_v2_l>},
    NetworkInfo{"convnext-tiny", "ConvNeXt-Tiny", convnext_paper, fixed<make_convnext_tiny>},
    NetworkInfo{"convnext-small", "ConvNeXt-Small", convnext_paper, fixed<make_convnext_small>},
    NetworkInfo{"convnext-base", "ConvNeXt-Base", convnext_paper, fixed<make_convnext_base>},
    NetworkInfo{"convnext-large", "ConvNeXt-Large", convnext_paper, fixed<make_convnext_large>},
    NetworkInfo{"convnext-xlarge", "ConvNeXt-XLarge", convnext_paper, fixed<make_convnext_xlarge>},
    NetworkInfo{
        "convnext-v2-tiny", "ConvNeXt V2-Tiny", convnext_v2_paper, fixed<make_convnext_v2_tiny>},
    NetworkInfo{
        "convnext-v2-base", "ConvNeXt V2-Base", convnext_v2_paper, fixed<make_convnext_v2_base>},
    NetworkInfo{
        "convnext-v2-large", "ConvNeXt V2-Large", convnext_v2_paper, fixed<make_convnext_v2_large>},
    NetworkInfo{
        "convnext-v2-huge", "ConvNeXt V2-Huge", convnext_v2_paper, fixed<make_convnext_v2_huge>},
    NetworkInfo{"swin-tiny", "Swin-T", swin_paper, make_swin_tiny},
    NetworkInfo{"swin-small", "Swin-S", swin_paper, make_swin_small},
    NetworkInfo{"swin-base", "Swin-B", swin_paper, make_swin_base},
    NetworkInfo{"swin-large", "Swin-L", swin_paper, make_swin_large},
    NetworkInfo{"densenet121", "DenseNet-121", densenet_paper, fixed<make_densenet121>},
    NetworkInfo{"densenet169", "DenseNet-169", densenet_paper, fixed<make_densenet169>},
    NetworkInfo{"densenet201", "DenseNet-201", densenet_paper, fixed<make_densenet201>},
    NetworkInfo{"regnety-016", "RegNetY-016", regnet_paper, fixed<make_regnety_016>},
    NetworkInfo{"regnety-032", "RegNetY-032", regnet_paper, fixed<make_regnety_032>},
    NetworkInfo{"regnety-080", "RegNetY-080", regnet_paper, fixed<make_regnety_080>},
    NetworkInfo{"regnety-160", "RegNetY-160", regnet_paper, fixed<make_regnety_160>},
    NetworkInfo{"regnety-320", "RegNetY-320", regnet_paper, fixed<make_regnety_320>},
    NetworkInfo{
        "inception-bn", "Inception-BN", "Ioffe and Szegedy, ICML 2015", fixed<make_inception_bn>},
    NetworkInfo{"inception-bn-28-small",
                "Inception-BN-28-small",
                "MXNet's CIFAR-10 example",
                fixed<make_inception_bn_small>},
    NetworkInfo{"cifar10-convnet",
                "CIFAR-10 ConvNet",
                "TensorFlow's CIFAR-10 tutorial",
                fixed<make_cifar10_convnet>},
    NetworkInfo{
        "cifar10-cnn", "CIFAR-10 VGG-like", "Keras' cifar10_cnn.py", fixed<make_cifar10_cnn>},
    NetworkInfo{"mnist-mlp", "MNIST MLP", "Keras' mnist_mlp.py", fixed<make_mnist_mlp>},
    NetworkInfo{"mnist-cnn", "MNIST CNN", "Keras' mnist_cnn.py", fixed<make_mnist_cnn>},
    NetworkInfo{"vit-s16", "ViT-S/16", "Touvron et al., ICML 2021, DeiT-S", fixed<make_vit_s16>},
    NetworkInfo{"vit-b16", "ViT-B/16", vit_paper, fixed<make_vit_b16>},
    NetworkInfo{"vit-l16", "ViT-L/16", vit_paper, fixed<make_vit_l16>},
    NetworkInfo{"vit-h14", "ViT-H/14", vit_paper, fixed<make_vit_h14>},
    NetworkInfo{"bert-base", "BERT-base", "Devlin et al., NAACL 2019", make_bert_base, 512},
    NetworkInfo{"bert-large", "BERT-large", "Devlin et al., NAACL 2019", make_bert_large, 512},
    NetworkInfo{"distilbert-base",
                "DistilBERT-base",
                "Sanh et al., 2019, DistilBERT",
                make_distilbert_base,
                512},
    NetworkInfo{"roberta-base", "RoBERTa-base", roberta_paper, make_roberta_base, 512},
    NetworkInfo{"roberta-large", "RoBERTa-large", roberta_paper, make_roberta_large, 512},
    NetworkInfo{
        "xlm-roberta-base", "XLM-RoBERTa-base", xlm_roberta_paper, make_xlm_roberta_base, 512},
    NetworkInfo{
        "xlm-roberta-large", "XLM-RoBERTa-large", xlm_roberta_paper, make_xlm_roberta_large, 512},
    NetworkInfo{"albert-base", "ALBERT-base", albert_paper, make_albert_base, 512},
    NetworkInfo{"albert-large", "ALBERT-large", albert_paper, make_albert_large, 512},
    NetworkInfo{"albert-xlarge", "ALBERT-xlarge", albert_paper, make_albert_xlarge, 512},
    NetworkInfo{"albert-xxlarge", "ALBERT-xxlarge", albert_paper, make_albert_xxlarge, 512},
    NetworkInfo{"electra-small",
                "ELECTRA-small",
                "Clark et al., ICLR 2020, ELECTRA",
                make_electra_small,
                512},
    NetworkInfo{
        "deberta-v3-xsmall", "DeBERTa-v3-xsmall", deberta_paper, make_deberta_v3_xsmall, 512},
    NetworkInfo{"deberta-v3-small", "DeBERTa-v3-small", deberta_paper, make_deberta_v3_small, 512},
    NetworkInfo{"deberta-v3-base", "DeBERTa-v3-base", deberta_paper, make_deberta_v3_base, 512},
    NetworkInfo{"deberta-v3-large", "DeBERTa-v3-large", deberta_paper, make_deberta_v3_large, 512},
    NetworkInfo{"mdeberta-v3-base", "mDeBERTa-v3-base", deberta_paper, make_mdeberta_v3_base, 512},
    NetworkInfo{"deberta-v2-xlarge",
                "DeBERTa-v2-xlarge",
                "He et al., ICLR 2021, DeBERTa",
                make_deberta_v2_xlarge,
                512},
    NetworkInfo{"deberta-v2-xxlarge",
                "DeBERTa-v2-xxlarge",
                "He et al., ICLR 2021, DeBERTa",
                make_deberta_v2_xxlarge,
                512},
    NetworkInfo{"modernbert-base", "ModernBERT-base", modernbert_paper, make_modernbert_base, 8192},
    NetworkInfo{
        "modernbert-large", "ModernBERT-large", modernbert_paper, make_modernbert_large, 8192},
    NetworkInfo{"minilm-l6",
                "all-MiniLM-L6-v2",
                "sentence-transformers/all-MiniLM-L6-v2",
                make_minilm_l6,
                256},
    NetworkInfo{"bge-small", "BGE-small", bge_paper, make_bge_small, 512},
    NetworkInfo{"bge-base", "BGE-base", bge_paper, make_bge_base, 512},
    NetworkInfo{"bge-large", "BGE-large", bge_paper, make_bge_large, 512},
    NetworkInfo{"bge-m3", "BGE-M3", "Chen et al., 2024, M3-Embedding", make_bge_m3, 8192},
    NetworkInfo{
        "multilingual-e5-base", "Multilingual E5 base", e5_paper, make_multilingual_e5_base, 512},
    NetworkInfo{"multilingual-e5-large",
                "Multilingual E5 large",
                e5_paper,
                make_multilingual_e5_large,
                512},
    NetworkInfo{"mpnet-base",
                "all-mpnet-base-v2",
                "Song et al., NeurIPS 2020, MPNet",
                make_mpnet_base,
                384},
    NetworkInfo{"nomic-embed-text",
                "nomic-embed-text-v1.5",
                "Nussbaum et al., 2024, Nomic Embed",
                make_nomic_embed,
                8192},
    NetworkInfo{"gte-base-en-v1.5", "gte-base-en-v1.5", gte_source, make_gte_base, 8192},
    NetworkInfo{"gte-large-en-v1.5", "gte-large-en-v1.5", gte_source, make_gte_large, 8192},
    NetworkInfo{"gte-multilingual-base",
                "gte-multilingual-base",
                gte_source,
                make_gte_multilingual_base,
                8192},
    NetworkInfo{"jina-embeddings-v2-small",
                "jina-embeddings-v2-small-en",
                jina_source,
                make_jina_small,
                8192},
    NetworkInfo{
        "jina-embeddings-v2-base", "jina-embeddings-v2-base-en", jina_source, make_jina_base, 8192},
    NetworkInfo{"embeddinggemma-300m",
                "EmbeddingGemma 300M",
                "Vera et al., EmbeddingGemma, 2025",
                make_embedding_gemma,
                2048},
    NetworkInfo{"clip-text-b", "CLIP text tower of ViT-B", clip_paper, make_clip_text_b, 77},
    NetworkInfo{"clip-text-l", "CLIP text tower of ViT-L", clip_paper, make_clip_text_l, 77},
    NetworkInfo{"clip-text-h",
                "CLIP text tower of ViT-H",
                "Cherti et al., CVPR 2023, OpenCLIP",
                make_clip_text_h,
                77},
    NetworkInfo{"siglip-text-b", "SigLIP text tower of B", siglip_paper, make_siglip_text_b, 64},
    NetworkInfo{"siglip-text-so400m",
                "SigLIP text tower of SO400M",
                siglip_paper,
                make_siglip_text_so400m,
                64},
    NetworkInfo{"gpt2", "GPT-2", "Radford et al., 2019, 124M", make_gpt2, 1024},
    NetworkInfo{"mpt-350m", "MPT 350M", mpt_source, make_mpt_350m, 2048},
    NetworkInfo{"mpt-760m", "MPT 760M", mpt_source, make_mpt_760m, 2048},
    NetworkInfo{"mpt-1b", "MPT 1B", mpt_source, make_mpt_1b, 2048},
    NetworkInfo{"mpt-3b", "MPT 3B", mpt_source, make_mpt_3b, 2048},
    NetworkInfo{"mpt-7b", "MPT 7B", mpt_source, make_mpt_7b, 2048},
    NetworkInfo{"mpt-13b", "MPT 13B", mpt_source, make_mpt_13b, 2048},
    NetworkInfo{"mpt-30b", "MPT 30B", mpt_source, make_mpt_30b, 2048},
    NetworkInfo{"mpt-70b", "MPT 70B", mpt_source, make_mpt_70b, 2048},
    NetworkInfo{"llama-160m", "Llama 160M", "JackFram/llama-160m", make_llama_160m, 2048},
    NetworkInfo{"llama-1b", "Llama 3.2 1B", llama3_paper, make_llama_1b, 8192},
    NetworkInfo{"llama-8b", "Llama 3.1 8B", llama3_paper, make_llama_8b, 8192},
    NetworkInfo{"llama-70b", "Llama 3.1 70B", llama3_paper, make_llama_70b, 8192},
    NetworkInfo{"mixtral-8x7b", "Mixtral 8x7B", mixtral_paper, make_mixtral_8x7b, 8192},
    NetworkInfo{"mixtral-8x22b", "Mixtral 8x22B", mixtral_paper, make_mixtral_8x22b, 8192},
    NetworkInfo{"qwen1.5-moe-a2.7b",
                "Qwen1.5-MoE-A2.7B",
                "Qwen Team, 2024, config.json",
                make_qwen_moe,
                8192},
    NetworkInfo{
        "imdb-fasttext", "fastText, IMDb", "Keras' imdb_fasttext.py", make_imdb_fasttext, 400},
    NetworkInfo{"imdb-lstm",
                "Bidirectional LSTM, IMDb",
                "Keras' imdb_bidirectional_lstm.py",
                make_imdb_lstm,
                100},
    NetworkInfo{
        "text-lstm", "LSTM text generation", "Keras' lstm_text_generation.py", make_text_lstm, 40},
    NetworkInfo{"ptb-small", "PTB LSTM, small", ptb_paper, make_ptb_small, 20},
    NetworkInfo{"ptb-medium", "PTB LSTM, medium", ptb_paper, make_ptb_medium, 35},
    NetworkInfo{"ptb-large", "PTB LSTM, large", ptb_paper, make_ptb_large, 35},
};

}  // namespace

std::span<const NetworkInfo> builtin_networks() {
  static const auto all = [] {
    std::vector<NetworkInfo> both(networks.begin(), networks.end());
    for (const auto further :
         {language_embedders(), image_classifiers(), further_image_classifiers()}) {
      both.insert(both.end(), further.begin(), further.end());
    }
    return both;
  }();
  return all;
}

}  // namespace rightsize
