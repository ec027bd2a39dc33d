// The second table of classifiers of images.
#include <array>

#include "kernels/networks/classification/classifiers.h"
#include "kernels/networks/classification/families.h"

namespace rightsize {
namespace {

constexpr std::string_view convnext_paper = "Liu et al., CVPR 2022";
constexpr std::string_view swin_v2_paper = "Liu et al., CVPR 2022, Swin V2";
constexpr std::string_view mobilenet_v4_paper = "Qin et al., ECCV 2024";
constexpr std::string_view coatnet_paper = "Dai et al., NeurIPS 2021, CoAtNet";
constexpr std::string_view timm_coatnet = "timm, maxxvit.py";
constexpr std::string_view davit_paper = "Ding et al., ECCV 2022, DaViT";
constexpr std::string_view hiera_paper = "Ryali et al., ICML 2023, Hiera";
constexpr std::string_view window_positions_paper = "Bolya et al., ICLR 2024, Hiera";
constexpr std::string_view tiny_vit_paper = "Wu et al., ECCV 2022, TinyViT";
constexpr std::string_view yolov8_source = "Ultralytics, 2023, YOLOv8";
constexpr std::string_view yolo26_source = "Ultralytics, 2026, YOLO26";
constexpr std::string_view yolo11_source = "Ultralytics, 2024, YOLO11";

constexpr std::array classifiers{
    NetworkInfo{"convnext-xxlarge", "ConvNeXt-XXLarge", convnext_paper, sized<make_convnext, 9>},
    NetworkInfo{
        "swinv2-base-w12", "Swin V2-B, windows of 12", swin_v2_paper, windowed<make_swin_v2, 9>},
    NetworkInfo{
        "swinv2-large-w12", "Swin V2-L, windows of 12", swin_v2_paper, windowed<make_swin_v2, 10>},
    NetworkInfo{"mobilenet-v4-hybrid-medium",
                "MobileNetV4-Hybrid-M",
                mobilenet_v4_paper,
                sized<make_mobilenet_v4, 3>},
    NetworkInfo{"mobilenet-v4-hybrid-large",
                "MobileNetV4-Hybrid-L",
                mobilenet_v4_paper,
                sized<make_mobilenet_v4, 4>},
    NetworkInfo{"coatnet-0", "CoAtNet-0", coatnet_paper, sized<make_coatnet, 0>},
    NetworkInfo{"coatnet-1", "CoAtNet-1", coatnet_paper, sized<make_coatnet, 1>},
    NetworkInfo{"coatnet-2", "CoAtNet-2", coatnet_paper, sized<make_coatnet, 2>},
    NetworkInfo{"coatnet-3", "CoAtNet-3", coatnet_paper, sized<make_coatnet, 3>},
    NetworkInfo{"coatnet-4", "CoAtNet-4", coatnet_paper, sized<make_coatnet, 4>},
    NetworkInfo{"coatnet-0-rw", "CoAtNet-0 of timm", timm_coatnet, sized<make_coatnet, 5>},
    NetworkInfo{"coatnet-1-rw", "CoAtNet-1 of timm", timm_coatnet, sized<make_coatnet, 6>},
    NetworkInfo{"coatnet-2-rw", "CoAtNet-2 of timm", timm_coatnet, sized<make_coatnet, 7>},
    NetworkInfo{"coatnet-3-rw", "CoAtNet-3 of timm", timm_coatnet, sized<make_coatnet, 8>},
    NetworkInfo{
        "coatnet-rmlp-1-rw", "CoAtNet-1 of timm, MLP", timm_coatnet, sized<make_coatnet, 9>},
    NetworkInfo{
        "coatnet-rmlp-2-rw", "CoAtNet-2 of timm, MLP", timm_coatnet, sized<make_coatnet, 10>},
    NetworkInfo{"davit-tiny", "DaViT-T", davit_paper, windowed<make_davit, 0>},
    NetworkInfo{"davit-small", "DaViT-S", davit_paper, windowed<make_davit, 1>},
    NetworkInfo{"davit-base", "DaViT-B", davit_paper, windowed<make_davit, 2>},
    NetworkInfo{"davit-large", "DaViT-L", davit_paper, windowed<make_davit, 3>},
    NetworkInfo{"hiera-tiny", "Hiera-T", hiera_paper, windowed<make_hiera, 0>},
    NetworkInfo{"hiera-small", "Hiera-S", hiera_paper, windowed<make_hiera, 1>},
    NetworkInfo{"hiera-base", "Hiera-B", hiera_paper, windowed<make_hiera, 2>},
    NetworkInfo{"hiera-base-plus", "Hiera-B plus", hiera_paper, windowed<make_hiera, 3>},
    NetworkInfo{"hiera-large", "Hiera-L", hiera_paper, windowed<make_hiera, 4>},
    NetworkInfo{"hiera-huge", "Hiera-H", hiera_paper, windowed<make_hiera, 5>},
    NetworkInfo{"hiera-small-abswin",
                "Hiera-S, absolute windows",
                window_positions_paper,
                windowed<make_hiera, 6>},
    NetworkInfo{"hiera-base-abswin",
                "Hiera-B, absolute windows",
                window_positions_paper,
                windowed<make_hiera, 7>},
    NetworkInfo{"tinyvit-5m", "TinyViT-5M", tiny_vit_paper, windowed<make_tiny_vit, 0>},
    NetworkInfo{"tinyvit-11m", "TinyViT-11M", tiny_vit_paper, windowed<make_tiny_vit, 1>},
    NetworkInfo{"tinyvit-21m", "TinyViT-21M", tiny_vit_paper, windowed<make_tiny_vit, 2>},
    NetworkInfo{
        "tinyvit-21m-384", "TinyViT-21M, 384x384", tiny_vit_paper, windowed<make_tiny_vit, 3>},
    NetworkInfo{
        "tinyvit-21m-512", "TinyViT-21M, 512x512", tiny_vit_paper, windowed<make_tiny_vit, 4>},
    NetworkInfo{"yolov8n-cls", "YOLOv8n-cls", yolov8_source, sized<make_yolov8_cls, 0>},
    NetworkInfo{"yolov8s-cls", "YOLOv8s-cls", yolov8_source, sized<make_yolov8_cls, 1>},
    NetworkInfo{"yolov8m-cls", "YOLOv8m-cls", yolov8_source, sized<make_yolov8_cls, 2>},
    NetworkInfo{"yolov8l-cls", "YOLOv8l-cls", yolov8_source, sized<make_yolov8_cls, 3>},
    NetworkInfo{"yolov8x-cls", "YOLOv8x-cls", yolov8_source, sized<make_yolov8_cls, 4>},
    NetworkInfo{"yolo11n-cls", "YOLO11n-cls", yolo11_source, sized<make_yolo11_cls, 0>},
    NetworkInfo{"yolo11s-cls", "YOLO11s-cls", yolo11_source, sized<make_yolo11_cls, 1>},
    NetworkInfo{"yolo11m-cls", "YOLO11m-cls", yolo11_source, sized<make_yolo11_cls, 2>},
    NetworkInfo{"yolo11l-cls", "YOLO11l-cls", yolo11_source, sized<make_yolo11_cls, 3>},
    NetworkInfo{"yolo11x-cls", "YOLO11x-cls", yolo11_source, sized<make_yolo11_cls, 4>},
    NetworkInfo{"yolo26n-cls", "YOLO26n-cls", yolo26_source, sized<make_yolo26_cls, 0>},
    NetworkInfo{"yolo26s-cls", "YOLO26s-cls", yolo26_source, sized<make_yolo26_cls, 1>},
    NetworkInfo{"yolo26m-cls", "YOLO26m-cls", yolo26_source, sized<make_yolo26_cls, 2>},
    NetworkInfo{"yolo26l-cls", "YOLO26l-cls", yolo26_source, sized<make_yolo26_cls, 3>},
    NetworkInfo{"yolo26x-cls", "YOLO26x-cls", yolo26_source, sized<make_yolo26_cls, 4>},
};

}  // namespace

std::span<const NetworkInfo> further_image_classifiers() {
  return classifiers;
}

}  // namespace rightsize
