// Classifiers of images by the names of timm and of the hub: the list of those most asked for.
#include <array>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "advisor/query/words.h"
#include "kernels/network.h"

using namespace rightsize;

namespace {

constexpr std::array<std::pair<const char*, const char*>, 106> known{{
    {"timm/mobilenetv3_small_100.lamb_in1k", "mobilenet-v3-small"},
    {"mobilenetv3_large_100.ra_in1k", "mobilenet-v3-large"},
    {"timm/resnet50.a1_in1k", "resnet50"},
    {"hf-hub:timm/resnet50.a1_in1k", "resnet50"},
    {"resnet18.a1_in1k", "resnet18"},
    {"resnet50d.ra2_in1k", "resnet50d"},
    {"resnet26.bt_in1k", "resnet26"},
    {"wide_resnet50_2.racm_in1k", "wide-resnet50-2"},
    {"wide_resnet101_2.tv_in1k", "wide-resnet101-2"},
    {"resnext50_32x4d.a1h_in1k", "resnext50-32x4d"},
    {"resnext101_32x8d.fb_wsl_ig1b_ft_in1k", "resnext101-32x8d"},
    {"seresnext50_32x4d.racm_in1k", "seresnext50-32x4d"},
    {"seresnet50.ra2_in1k", "seresnet50"},
    {"timm/efficientnet_b0.ra_in1k", "efficientnet-b0"},
    {"tf_efficientnet_b4.ns_jft_in1k", "efficientnet-b4"},
    {"tf_efficientnetv2_s.in21k_ft_in1k", "efficientnet-v2-s"},
    {"tf_efficientnetv2_m.in21k", "efficientnet-v2-m"},
    {"timm/vit_base_patch16_224.augreg2_in21k_ft_in1k", "vit-b16"},
    {"vit_base_patch16_384.augreg_in21k_ft_in1k", "vit-b16:size=384"},
    {"vit_small_patch16_224.augreg_in21k", "vit-s16"},
    {"vit_tiny_patch16_224.augreg_in21k_ft_in1k", "vit-ti16"},
    {"vit_large_patch16_384.augreg_in21k_ft_in1k", "vit-l16:size=384"},
    {"vit_huge_patch14_224.orig_in21k", "vit-h14"},
    {"vit_base_patch32_224.augreg_in21k", "vit-b32"},
    {"vit_base_patch8_224.augreg_in21k", "vit-b8"},
    {"vit_base_patch14_dinov2.lvd142m", "dinov2-b14:size=518"},
    {"vit_base_patch14_reg4_dinov2.lvd142m", "dinov2-b14-reg4:size=518"},
    {"vit_base_patch16_clip_224.openai", "clip-vit-b16"},
    {"vit_large_patch14_clip_336.openai", "clip-vit-l14-336"},
    {"vit_base_patch16_siglip_224.webli", "siglip-b16"},
    {"vit_so400m_patch14_siglip_384.webli", "siglip-so400m14"},
    {"vit_so400m_patch14_siglip_378.webli_ft_in1k", "siglip-so400m14:size=378"},
    {"convnext_tiny.in12k_ft_in1k", "convnext-tiny"},
    {"convnext_base.fb_in22k_ft_in1k", "convnext-base"},
    {"convnext_base.fb_in22k_ft_in1k_384", "convnext-base:size=384"},
    {"convnextv2_nano.fcmae_ft_in22k_in1k", "convnext-v2-nano"},
    {"convnextv2_huge.fcmae_ft_in22k_in1k_512", "convnext-v2-huge:size=512"},
    {"swin_tiny_patch4_window7_224.ms_in1k", "swin-tiny"},
    {"swin_base_patch4_window7_224.ms_in22k_ft_in1k", "swin-base"},
    {"swin_large_patch4_window12_384.ms_in22k_ft_in1k", "swin-large-384"},
    {"swinv2_tiny_window8_256.ms_in1k", "swinv2-tiny-w8"},
    {"swinv2_base_window12to16_192to256.ms_in22k_ft_in1k", "swinv2-base-w16"},
    {"swinv2_large_window12to24_192to384.ms_in22k_ft_in1k", "swinv2-large-w24"},
    {"eva02_base_patch14_448.mim_in22k_ft_in22k_in1k", "eva02-base"},
    {"eva02_large_patch14_448.mim_m38m_ft_in22k_in1k", "eva02-large"},
    {"eva_giant_patch14_224.clip_ft_in1k", "eva-giant"},
    {"beit_base_patch16_224.in22k_ft_in22k_in1k", "beit-base"},
    {"beit_large_patch16_512.in22k_ft_in22k_in1k", "beit-large:size=512"},
    {"beitv2_base_patch16_224.in1k_ft_in22k_in1k", "beit-base"},
    {"deit3_base_patch16_224.fb_in22k_ft_in1k", "vit-b16"},
    {"deit_base_distilled_patch16_384.fb_in1k", "vit-b16:size=384"},
    {"maxvit_tiny_tf_224.in1k", "maxvit-tiny"},
    {"maxvit_base_tf_512.in21k_ft_in1k", "maxvit-base-512"},
    {"regnety_032.ra_in1k", "regnety-032"},
    {"regnety_160.swag_ft_in1k", "regnety-160"},
    {"regnetx_032.tv2_in1k", "regnetx-032"},
    {"mobilenetv2_100.ra_in1k", "mobilenet-v2"},
    {"mobilenetv4_conv_small.e2400_r224_in1k", "mobilenet-v4-small"},
    {"densenet121.ra_in1k", "densenet121"},
    {"inception_v3.tv_in1k", "inception-v3"},
    {"vgg16.tv_in1k", "vgg16"},
    {"google/vit-base-patch16-224-in21k", "vit-b16"},
    {"google/vit-large-patch16-384", "vit-l16:size=384"},
    {"google/vit-huge-patch14-224-in21k", "vit-h14"},
    {"facebook/deit-base-patch16-224", "vit-b16"},
    {"facebook/convnext-tiny-224", "convnext-tiny"},
    {"facebook/convnextv2-tiny-22k-384", "convnext-v2-tiny:size=384"},
    {"microsoft/swin-tiny-patch4-window7-224", "swin-tiny"},
    {"microsoft/swinv2-tiny-patch4-window8-256", "swinv2-tiny-w8"},
    {"microsoft/swin-base-patch4-window7-224-in22k", "swin-base"},
    {"microsoft/beit-base-patch16-224-pt22k-ft22k", "beit-base"},
    {"facebook/regnet-y-040", "regnety-040"},
    {"swinv2_large_window12_192.ms_in22k", "swinv2-large-w12"},
    {"hiera_small_abswin_256.sbb2_e200_in12k_ft_in1k", "hiera-small-abswin"},
    {"coatnet_rmlp_1_rw_224.sw_in1k", "coatnet-rmlp-1-rw"},
    {"coatnet_rmlp_2_rw_384.sw_in12k_ft_in1k", "coatnet-rmlp-2-rw:size=384"},
    {"yolo26n-seg.pt", "yolo26n-seg"},
    {"yolov26m-obb", "yolo26m-obb"},
    {"yolov8n-oiv7.pt", "yolov8n-oiv7"},
    {"rf-detr-seg-nano.pt", "rfdetr-seg-nano"},
    {"microsoft/swinv2-base-patch4-window12-192-22k", "swinv2-base-w12"},
    {"microsoft/swinv2-large-patch4-window12to24-192to384-22kto1k-ft", "swinv2-large-w24"},
    {"mobilenetv4_hybrid_medium.ix_e550_r256_in1k", "mobilenet-v4-hybrid-medium"},
    {"mobilenetv4_hybrid_medium.e500_r224_in1k", "mobilenet-v4-hybrid-medium"},
    {"mobilenetv4_hybrid_large.ix_e600_r384_in1k", "mobilenet-v4-hybrid-large"},
    {"convnext_xxlarge.clip_laion2b_soup_ft_in1k", "convnext-xxlarge"},
    {"coatnet_0_rw_224.sw_in1k", "coatnet-0-rw"},
    {"coatnet_2_rw_224.sw_in12k_ft_in1k", "coatnet-2-rw"},
    {"coatnet_1_224.untrained", "coatnet-1"},
    {"davit_base.msft_in1k", "davit-base"},
    {"hiera_base_plus_224.mae_in1k_ft_in1k", "hiera-base-plus"},
    {"facebook/hiera-tiny-224-in1k-hf", "hiera-tiny"},
    {"timm/tiny_vit_21m_224.dist_in22k_ft_in1k", "tinyvit-21m"},
    {"tiny_vit_21m_384.dist_in22k_ft_in1k", "tinyvit-21m-384"},
    {"tiny_vit_5m_224", "tinyvit-5m"},
    {"yolov8n-seg.pt", "yolov8n-seg"},
    {"yolo11x-obb.pt", "yolo11x-obb"},
    {"yolov11m-pose.pt", "yolo11m-pose"},
    {"yolov8s-cls.pt", "yolov8s-cls"},
    {"yolov9e.pt", "yolov9e"},
    {"rtdetr-l.pt", "rtdetr-l"},
    {"facebook/sam2.1-hiera-base-plus", "sam2-hiera-base-plus"},
    {"facebook/sam2-hiera-tiny", "sam2-hiera-tiny"},
    {"sam2.1_l.pt", "sam2-hiera-large"},
    {"ustc-community/dfine-large-coco", "dfine-l"},
    {"roboflow/rf-detr-base", "rfdetr-base"},
}};

}  // namespace

TEST_CASE("image networks: the names of timm and of the hub are understood") {
  for (const auto& [said, meant] : known) {
    CAPTURE(said);
    CHECK(network_meant(said) == meant);
    CHECK(make_network(network_meant(said)).input.c == 3);
  }
}

TEST_CASE("image networks: of two sizes the one that is said behind the name is meant") {
  for (const auto& [said, meant] :
       {std::pair{"vit_base_patch16_384:size=224", "vit-b16:size=224"},
        std::pair{"timm/vit_base_patch16_384.augreg_in1k:size=448", "vit-b16:size=448"},
        std::pair{"eva02_base_patch14_448:size=336", "eva02-base:size=336"},
        std::pair{"eva02_base_patch14_224:size=448", "eva02-base:size=448"},
        std::pair{"hf-hub:timm/resnet50.a1_in1k", "resnet50"}}) {
    CAPTURE(said);
    CHECK(network_meant(said) == meant);
  }
}

TEST_CASE("image networks: detectors, segmenters and what hears by the names of hubs") {
  for (const auto& [said, meant] :
       {std::pair{"PekingU/rtdetr_r50vd", "rtdetr-r50"},
        std::pair{"facebook/detr-resnet-50", "detr-resnet50"},
        std::pair{"maskrcnn_resnet50_fpn", "maskrcnn-resnet50"},
        std::pair{"Mask R-CNN", "maskrcnn-resnet50"},
        std::pair{"nvidia/segformer-b0-finetuned-ade-512-512", "segformer-b0"},
        std::pair{"facebook/sam-vit-huge", "sam-vit-h"},
        std::pair{"yolov12m.pt", "yolo12m"},
        std::pair{"yolo26n.pt", "yolo26n"},
        std::pair{"yolov10s:size=1280", "yolov10s:size=1280"},
        std::pair{"facebook/wav2vec2-base-960h", "wav2vec2-base"},
        std::pair{"microsoft/wavlm-base-plus", "wavlm-base-plus"},
        std::pair{"facebook/w2v-bert-2.0", "w2v-bert-2.0"},
        std::pair{"nvidia/parakeet-tdt-0.6b-v2", "parakeet-tdt-0.6b"},
        std::pair{"intfloat/e5-mistral-7b-instruct", "e5-mistral-7b"},
        std::pair{"black-forest-labs/FLUX.2-dev", "flux2-dev-denoiser"},
        std::pair{"nvidia/canary-1b-v2", "canary-1b-v2"},
        std::pair{"nvidia/canary-180m-flash", "canary-180m-flash"},
        std::pair{"Qwen/Qwen-Image", "qwen-image-denoiser"},
        std::pair{"Tongyi-MAI/Z-Image-Turbo", "z-image-denoiser"},
        std::pair{"google/gemma-4-31B-it", "gemma-4-31b"},
        std::pair{"mistralai/Mistral-Small-3.2", "mistral-small-3.1-24b"},
        std::pair{"Wan-AI/Wan2.2-I2V-A14B", "wan2.1-t2v-14b-denoiser"},
        std::pair{"Wan-AI/Wan2.1-T2V-14B", "wan2.1-t2v-14b-denoiser"}}) {
    CAPTURE(said);
    CHECK(network_meant(said) == meant);
  }
}

TEST_CASE("image networks: a size stands behind the name") {
  CHECK(network_meant("ResNet-50:size=512") == "resnet50:size=512");
  CHECK(network_meant("microsoft/resnet-50:size=384") == "resnet50:size=384");
  CHECK(network_meant("vit_base_patch16_224:size=448") == "vit-b16:size=448");
}

// What is of another architecture is not taken for the nearest, nor is a language model's version
// for a training.
TEST_CASE("image networks: others stay as they were said") {
  for (const char* said : {"coatnet_bn_0_rw_224.sw_in1k",
                           "mobilenetv4_conv_blur_medium.e500_r224_in1k",
                           "inception_v4.tf_in1k",
                           "qwen2.5-7c",
                           "gpt5.2"}) {
    CHECK(network_meant(said) == said);
  }
}
