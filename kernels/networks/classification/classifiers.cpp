// The visible table of further classifiers of images.
#include "kernels/networks/classification/classifiers.h"

#include <array>

#include "kernels/networks/classification/families.h"

namespace rightsize {
namespace {

constexpr std::string_view regnet_paper = "Radosavovic et al., CVPR 2020";
constexpr std::string_view convnext_paper = "Liu et al., CVPR 2022";
constexpr std::string_view convnext_v2_paper = "Woo et al., CVPR 2023, ConvNeXt V2";
constexpr std::string_view timm_resnet = "timm, resnet.py";
constexpr std::string_view swin_paper = "Liu et al., ICCV 2021, Swin";
constexpr std::string_view swin_v2_paper = "Liu et al., CVPR 2022, Swin V2";
constexpr std::string_view maxvit_paper = "Tu et al., ECCV 2022, MaxViT";
constexpr std::string_view mobilenet_v4_paper = "Qin et al., ECCV 2024";
constexpr std::string_view vit_paper = "Dosovitskiy et al., ICLR 2021";
constexpr std::string_view beit_paper = "Bao et al., ICLR 2022, BEiT, and v2";
constexpr std::string_view eva02_paper = "Fang et al., 2023, EVA-02";
constexpr std::string_view eva_paper = "Fang et al., CVPR 2023, EVA";

constexpr std::array classifiers{
    NetworkInfo{"regnetx-002", "RegNetX-002", regnet_paper, sized<make_regnet, 0>},
    NetworkInfo{"regnetx-004", "RegNetX-004", regnet_paper, sized<make_regnet, 1>},
    NetworkInfo{"regnetx-006", "RegNetX-006", regnet_paper, sized<make_regnet, 2>},
    NetworkInfo{"regnetx-008", "RegNetX-008", regnet_paper, sized<make_regnet, 3>},
    NetworkInfo{"regnetx-016", "RegNetX-016", regnet_paper, sized<make_regnet, 4>},
    NetworkInfo{"regnetx-032", "RegNetX-032", regnet_paper, sized<make_regnet, 5>},
    NetworkInfo{"regnetx-040", "RegNetX-040", regnet_paper, sized<make_regnet, 6>},
    NetworkInfo{"regnetx-064", "RegNetX-064", regnet_paper, sized<make_regnet, 7>},
    NetworkInfo{"regnetx-080", "RegNetX-080", regnet_paper, sized<make_regnet, 8>},
    NetworkInfo{"regnetx-120", "RegNetX-120", regnet_paper, sized<make_regnet, 9>},
    NetworkInfo{"regnetx-160", "RegNetX-160", regnet_paper, sized<make_regnet, 10>},
    NetworkInfo{"regnetx-320", "RegNetX-320", regnet_paper, sized<make_regnet, 11>},
    NetworkInfo{"regnety-002", "RegNetY-002", regnet_paper, sized<make_regnet, 12>},
    NetworkInfo{"regnety-004", "RegNetY-004", regnet_paper, sized<make_regnet, 13>},
    NetworkInfo{"regnety-006", "RegNetY-006", regnet_paper, sized<make_regnet, 14>},
    NetworkInfo{"regnety-008", "RegNetY-008", regnet_paper, sized<make_regnet, 15>},
    NetworkInfo{"regnety-040", "RegNetY-040", regnet_paper, sized<make_regnet, 16>},
    NetworkInfo{"regnety-064", "RegNetY-064", regnet_paper, sized<make_regnet, 17>},
    NetworkInfo{"regnety-120", "RegNetY-120", regnet_paper, sized<make_regnet, 18>},
    NetworkInfo{"regnety-640", "RegNetY-640", regnet_paper, sized<make_regnet, 19>},
    NetworkInfo{"regnety-1280", "RegNetY-1280", regnet_paper, sized<make_regnet, 20>},
    NetworkInfo{"convnext-atto", "ConvNeXt-Atto", convnext_paper, sized<make_convnext, 0>},
    NetworkInfo{"convnext-femto", "ConvNeXt-Femto", convnext_paper, sized<make_convnext, 1>},
    NetworkInfo{"convnext-pico", "ConvNeXt-Pico", convnext_paper, sized<make_convnext, 2>},
    NetworkInfo{"convnext-nano", "ConvNeXt-Nano", convnext_paper, sized<make_convnext, 3>},
    NetworkInfo{"convnext-v2-atto", "ConvNeXt V2-Atto", convnext_v2_paper, sized<make_convnext, 4>},
    NetworkInfo{
        "convnext-v2-femto", "ConvNeXt V2-Femto", convnext_v2_paper, sized<make_convnext, 5>},
    NetworkInfo{"convnext-v2-pico", "ConvNeXt V2-Pico", convnext_v2_paper, sized<make_convnext, 6>},
    NetworkInfo{"convnext-v2-nano", "ConvNeXt V2-Nano", convnext_v2_paper, sized<make_convnext, 7>},
    NetworkInfo{
        "convnext-v2-small", "ConvNeXt V2-Small", convnext_v2_paper, sized<make_convnext, 8>},
    NetworkInfo{"resnet26", "ResNet-26", timm_resnet, sized<make_resnet_variant, 0>},
    NetworkInfo{"resnet50d", "ResNet-50-D", timm_resnet, sized<make_resnet_variant, 1>},
    NetworkInfo{"resnet101d", "ResNet-101-D", timm_resnet, sized<make_resnet_variant, 2>},
    NetworkInfo{"seresnet50", "SE-ResNet-50", timm_resnet, sized<make_resnet_variant, 3>},
    NetworkInfo{
        "wide-resnet101-2", "Wide ResNet-101-2", timm_resnet, sized<make_resnet_variant, 4>},
    NetworkInfo{
        "seresnext50-32x4d", "SE-ResNeXt-50 32x4d", timm_resnet, sized<make_resnet_variant, 5>},
    NetworkInfo{
        "resnext101-32x8d", "ResNeXt-101 32x8d", timm_resnet, sized<make_resnet_variant, 6>},
    NetworkInfo{
        "resnext101-64x4d", "ResNeXt-101 64x4d", timm_resnet, sized<make_resnet_variant, 7>},
    NetworkInfo{"swin-base-384", "Swin-B, 384x384", swin_paper, windowed<make_swin, 0>},
    NetworkInfo{"swin-large-384", "Swin-L, 384x384", swin_paper, windowed<make_swin, 1>},
    NetworkInfo{
        "swinv2-tiny-w8", "Swin V2-T, windows of 8", swin_v2_paper, windowed<make_swin_v2, 0>},
    NetworkInfo{
        "swinv2-tiny-w16", "Swin V2-T, windows of 16", swin_v2_paper, windowed<make_swin_v2, 1>},
    NetworkInfo{
        "swinv2-small-w8", "Swin V2-S, windows of 8", swin_v2_paper, windowed<make_swin_v2, 2>},
    NetworkInfo{
        "swinv2-small-w16", "Swin V2-S, windows of 16", swin_v2_paper, windowed<make_swin_v2, 3>},
    NetworkInfo{
        "swinv2-base-w8", "Swin V2-B, windows of 8", swin_v2_paper, windowed<make_swin_v2, 4>},
    NetworkInfo{
        "swinv2-base-w16", "Swin V2-B, windows of 16", swin_v2_paper, windowed<make_swin_v2, 5>},
    NetworkInfo{
        "swinv2-base-w24", "Swin V2-B, windows of 24", swin_v2_paper, windowed<make_swin_v2, 6>},
    NetworkInfo{
        "swinv2-large-w16", "Swin V2-L, windows of 16", swin_v2_paper, windowed<make_swin_v2, 7>},
    NetworkInfo{
        "swinv2-large-w24", "Swin V2-L, windows of 24", swin_v2_paper, windowed<make_swin_v2, 8>},
    NetworkInfo{"maxvit-tiny", "MaxViT-T", maxvit_paper, windowed<make_maxvit, 0>},
    NetworkInfo{"maxvit-small", "MaxViT-S", maxvit_paper, windowed<make_maxvit, 1>},
    NetworkInfo{"maxvit-base", "MaxViT-B", maxvit_paper, windowed<make_maxvit, 2>},
    NetworkInfo{"maxvit-large", "MaxViT-L", maxvit_paper, windowed<make_maxvit, 3>},
    NetworkInfo{"maxvit-tiny-384", "MaxViT-T, 384x384", maxvit_paper, windowed<make_maxvit, 4>},
    NetworkInfo{"maxvit-small-384", "MaxViT-S, 384x384", maxvit_paper, windowed<make_maxvit, 5>},
    NetworkInfo{"maxvit-base-384", "MaxViT-B, 384x384", maxvit_paper, windowed<make_maxvit, 6>},
    NetworkInfo{"maxvit-large-384", "MaxViT-L, 384x384", maxvit_paper, windowed<make_maxvit, 7>},
    NetworkInfo{"maxvit-tiny-512", "MaxViT-T, 512x512", maxvit_paper, windowed<make_maxvit, 8>},
    NetworkInfo{"maxvit-small-512", "MaxViT-S, 512x512", maxvit_paper, windowed<make_maxvit, 9>},
    NetworkInfo{"maxvit-base-512", "MaxViT-B, 512x512", maxvit_paper, windowed<make_maxvit, 10>},
    NetworkInfo{"maxvit-large-512", "MaxViT-L, 512x512", maxvit_paper, windowed<make_maxvit, 11>},
    NetworkInfo{"mobilenet-v4-small",
                "MobileNetV4-Conv-S",
                mobilenet_v4_paper,
                sized<make_mobilenet_v4, 0>},
    NetworkInfo{"mobilenet-v4-medium",
                "MobileNetV4-Conv-M",
                mobilenet_v4_paper,
                sized<make_mobilenet_v4, 1>},
    NetworkInfo{"mobilenet-v4-large",
                "MobileNetV4-Conv-L",
                mobilenet_v4_paper,
                sized<make_mobilenet_v4, 2>},
    NetworkInfo{"vit-ti16", "ViT-Ti/16", vit_paper, sized<make_vit_variant, 0>},
    NetworkInfo{"vit-b32", "ViT-B/32", vit_paper, sized<make_vit_variant, 1>},
    NetworkInfo{"vit-b8", "ViT-B/8", vit_paper, sized<make_vit_variant, 2>},
    NetworkInfo{"vit-l32", "ViT-L/32", vit_paper, sized<make_vit_variant, 3>},
    NetworkInfo{"beit-base", "BEiT-B/16", beit_paper, sized<make_vit_variant, 4>},
    NetworkInfo{"beit-large", "BEiT-L/16", beit_paper, sized<make_vit_variant, 5>},
    NetworkInfo{"eva02-tiny", "EVA-02-Ti/14", eva02_paper, sized<make_vit_variant, 6>},
    NetworkInfo{"eva02-small", "EVA-02-S/14", eva02_paper, sized<make_vit_variant, 7>},
    NetworkInfo{"eva02-base", "EVA-02-B/14", eva02_paper, sized<make_vit_variant, 8>},
    NetworkInfo{"eva02-large", "EVA-02-L/14", eva02_paper, sized<make_vit_variant, 9>},
    NetworkInfo{"eva-giant", "EVA-g/14", eva_paper, sized<make_vit_variant, 10>},
};

}  // namespace

std::span<const NetworkInfo> image_classifiers() {
  return classifiers;
}

}  // namespace rightsize
