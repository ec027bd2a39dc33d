// The makers behind the table of registry.cpp, one file per family.
#pragma once

#include "kernels/network.h"

namespace rightsize {

[[nodiscard]] Network make_alexnet();
[[nodiscard]] Network make_alexnet_owt();
[[nodiscard]] Network make_alexnet_mxnet();

[[nodiscard]] Network make_resnet18();
[[nodiscard]] Network make_resnet34();
[[nodiscard]] Network make_resnet50();
[[nodiscard]] Network make_resnet101();
[[nodiscard]] Network make_resnet152();
[[nodiscard]] Network make_resnet200();
[[nodiscard]] Network make_wide_resnet50_2();
[[nodiscard]] Network make_resnet18_cifar();
[[nodiscard]] Network make_resnext50();
[[nodiscard]] Network make_resnext101();
[[nodiscard]] Network make_se_resnext101();

[[nodiscard]] Network make_vgg11();
[[nodiscard]] Network make_vgg16();
[[nodiscard]] Network make_vgg19();

[[nodiscard]] Network make_googlenet();
[[nodiscard]] Network make_inception_v3();
[[nodiscard]] Network make_inception_bn();
[[nodiscard]] Network make_inception_bn_small();
[[nodiscard]] Network make_mobilenet_v2();
[[nodiscard]] Network make_mobilenet_v3_large();
[[nodiscard]] Network make_mobilenet_v3_small();

[[nodiscard]] Network make_efficientnet_b0();
[[nodiscard]] Network make_efficientnet_b1();
[[nodiscard]] Network make_efficientnet_b2();
[[nodiscard]] Network make_efficientnet_b3();
[[nodiscard]] Network make_efficientnet_b4();
[[nodiscard]] Network make_efficientnet_b5();
[[nodiscard]] Network make_efficientnet_b6();
[[nodiscard]] Network make_efficientnet_b7();

[[nodiscard]] Network make_efficientnet_v2_s();
[[nodiscard]] Network make_efficientnet_v2_m();
[[nodiscard]] Network make_efficientnet_v2_l();

[[nodiscard]] Network make_convnext_tiny();
[[nodiscard]] Network make_convnext_small();
[[nodiscard]] Network make_convnext_base();
[[nodiscard]] Network make_convnext_large();
[[nodiscard]] Network make_convnext_xlarge();
[[nodiscard]] Network make_convnext_v2_tiny();
[[nodiscard]] Network make_convnext_v2_base();
[[nodiscard]] Network make_convnext_v2_large();
[[nodiscard]] Network make_convnext_v2_huge();
[[nodiscard]] Network make_swin_tiny(int size);
[[nodiscard]] Network make_swin_small(int size);
[[nodiscard]] Network make_swin_base(int size);
[[nodiscard]] Network make_swin_large(int size);

[[nodiscard]] Network make_densenet121();
[[nodiscard]] Network make_densenet169();
[[nodiscard]] Network make_densenet201();

[[nodiscard]] Network make_regnety_016();
[[nodiscard]] Network make_regnety_032();
[[nodiscard]] Network make_regnety_080();
[[nodiscard]] Network make_regnety_160();
[[nodiscard]] Network make_regnety_320();

[[nodiscard]] Network make_cifar10_convnet();
[[nodiscard]] Network make_cifar10_cnn();
[[nodiscard]] Network make_mnist_mlp();
[[nodiscard]] Network make_mnist_cnn();

[[nodiscard]] Network make_vit_s16();
[[nodiscard]] Network make_vit_b16();
[[nodiscard]] Network make_vit_l16();
[[nodiscard]] Network make_vit_h14();

[[nodiscard]] Network make_bert_base(int sequence);
[[nodiscard]] Network make_bert_large(int sequence);
[[nodiscard]] Network make_distilbert_base(int sequence);
[[nodiscard]] Network make_roberta_base(int sequence);
[[nodiscard]] Network make_roberta_large(int sequence);
[[nodiscard]] Network make_xlm_roberta_base(int sequence);
[[nodiscard]] Network make_xlm_roberta_large(int sequence);
[[nodiscard]] Network make_albert_base(int sequence);
[[nodiscard]] Network make_albert_large(int sequence);
[[nodiscard]] Network make_albert_xlarge(int sequence);
[[nodiscard]] Network make_albert_xxlarge(int sequence);
[[nodiscard]] Network make_electra_small(int sequence);
[[nodiscard]] Network make_deberta_v3_xsmall(int sequence);
[[nodiscard]] Network make_deberta_v3_small(int sequence);
[[nodiscard]] Network make_deberta_v3_base(int sequence);
[[nodiscard]] Network make_deberta_v3_large(int sequence);
[[nodiscard]] Network make_mdeberta_v3_base(int sequence);
[[nodiscard]] Network make_deberta_v2_xlarge(int sequence);
[[nodiscard]] Network make_deberta_v2_xxlarge(int sequence);
[[nodiscard]] Network make_modernbert_base(int sequence);
[[nodiscard]] Network make_modernbert_large(int sequence);
[[nodiscard]] Network make_minilm_l6(int sequence);
[[nodiscard]] Network make_bge_small(int sequence);
[[nodiscard]] Network make_bge_base(int sequence);
[[nodiscard]] Network make_bge_large(int sequence);
[[nodiscard]] Network make_bge_m3(int sequence);
[[nodiscard]] Network make_multilingual_e5_base(int sequence);
[[nodiscard]] Network make_multilingual_e5_large(int sequence);
[[nodiscard]] Network make_mpnet_base(int sequence);
[[nodiscard]] Network make_gte_base(int sequence);
[[nodiscard]] Network make_gte_large(int sequence);
[[nodiscard]] Network make_gte_multilingual_base(int sequence);
[[nodiscard]] Network make_jina_small(int sequence);
[[nodiscard]] Network make_jina_base(int sequence);
[[nodiscard]] Network make_embedding_gemma(int sequence);
[[nodiscard]] Network make_nomic_embed(int sequence);
[[nodiscard]] Network make_qwen3_embedding_0_6b(int sequence);
[[nodiscard]] Network make_qwen3_embedding_4b(int sequence);
[[nodiscard]] Network make_qwen3_embedding_8b(int sequence);

[[nodiscard]] Network make_clip_text_b(int sequence);
[[nodiscard]] Network make_clip_text_l(int sequence);
[[nodiscard]] Network make_clip_text_h(int sequence);
[[nodiscard]] Network make_siglip_text_b(int sequence);
[[nodiscard]] Network make_siglip_text_so400m(int sequence);

[[nodiscard]] Network make_gpt2(int sequence);

[[nodiscard]] Network make_mpt_350m(int sequence);
[[nodiscard]] Network make_mpt_760m(int sequence);
[[nodiscard]] Network make_mpt_1b(int sequence);
[[nodiscard]] Network make_mpt_3b(int sequence);
[[nodiscard]] Network make_mpt_7b(int sequence);
[[nodiscard]] Network make_mpt_13b(int sequence);
[[nodiscard]] Network make_mpt_30b(int sequence);
[[nodiscard]] Network make_mpt_70b(int sequence);

[[nodiscard]] Network make_llama_160m(int sequence);
[[nodiscard]] Network make_llama_1b(int sequence);
[[nodiscard]] Network make_llama_8b(int sequence);
[[nodiscard]] Network make_llama_70b(int sequence);

[[nodiscard]] Network make_mixtral_8x7b(int sequence);
[[nodiscard]] Network make_mixtral_8x22b(int sequence);
[[nodiscard]] Network make_qwen_moe(int sequence);

[[nodiscard]] Network make_ptb_small(int sequence);
[[nodiscard]] Network make_ptb_medium(int sequence);
[[nodiscard]] Network make_ptb_large(int sequence);

[[nodiscard]] Network make_imdb_fasttext(int sequence);
[[nodiscard]] Network make_imdb_lstm(int sequence);
[[nodiscard]] Network make_text_lstm(int sequence);

}  // namespace rightsize
