// The visible table of detectors and segmenters.
#include <array>

#include "kernels/networks/detection/families.h"

namespace rightsize {
namespace {

using namespace detection;

constexpr std::string_view yolov5_source = "Ultralytics, 2020, YOLOv5 v6.0";
constexpr std::string_view yolov8_source = "Ultralytics, 2023, YOLOv8";
constexpr std::string_view yolo11_source = "Ultralytics, 2024, YOLO11";

constexpr std::string_view yolov9_source = "Wang et al., ECCV 2024, YOLOv9";
constexpr std::string_view yolov10_source = "Wang et al., NeurIPS 2024, YOLOv10";
constexpr std::string_view yolo12_source = "Tian et al., NeurIPS 2025, YOLOv12";
constexpr std::string_view yolo26_source = "Ultralytics, 2026, YOLO26";

constexpr std::string_view segformer_source = "Xie et al., NeurIPS 2021, SegFormer";
constexpr std::string_view detr_source = "Carion et al., ECCV 2020, DETR";
constexpr std::string_view rt_detr_source = "Zhao et al., CVPR 2024, RT-DETR";
constexpr std::string_view d_fine_source = "Peng et al., ICLR 2025, D-FINE";
constexpr std::string_view rf_detr_source = "Robinson et al., 2025, RF-DETR";
constexpr std::string_view sam2_source = "Ravi et al., ICLR 2025, SAM 2";
constexpr std::string_view sam_source = "Kirillov et al., ICCV 2023, SAM";

constexpr std::array networks{
    DetectionInfo{"yolov5n", "YOLOv5n", yolov5_source, make_yolov5, 0},
    DetectionInfo{"yolov5s", "YOLOv5s", yolov5_source, make_yolov5, 1},
    DetectionInfo{"yolov5m", "YOLOv5m", yolov5_source, make_yolov5, 2},
    DetectionInfo{"yolov5l", "YOLOv5l", yolov5_source, make_yolov5, 3},
    DetectionInfo{"yolov5x", "YOLOv5x", yolov5_source, make_yolov5, 4},
    DetectionInfo{"yolov8n", "YOLOv8n", yolov8_source, make_yolov8, 0},
    DetectionInfo{"yolov8s", "YOLOv8s", yolov8_source, make_yolov8, 1},
    DetectionInfo{"yolov8m", "YOLOv8m", yolov8_source, make_yolov8, 2},
    DetectionInfo{"yolov8l", "YOLOv8l", yolov8_source, make_yolov8, 3},
    DetectionInfo{"yolov8x", "YOLOv8x", yolov8_source, make_yolov8, 4},
    DetectionInfo{"yolov8n-seg", "YOLOv8n-seg", yolov8_source, make_yolov8_seg, 0},
    DetectionInfo{"yolov8s-seg", "YOLOv8s-seg", yolov8_source, make_yolov8_seg, 1},
    DetectionInfo{"yolov8m-seg", "YOLOv8m-seg", yolov8_source, make_yolov8_seg, 2},
    DetectionInfo{"yolov8l-seg", "YOLOv8l-seg", yolov8_source, make_yolov8_seg, 3},
    DetectionInfo{"yolov8x-seg", "YOLOv8x-seg", yolov8_source, make_yolov8_seg, 4},
    DetectionInfo{"yolov8n-pose", "YOLOv8n-pose", yolov8_source, make_yolov8_pose, 0},
    DetectionInfo{"yolov8s-pose", "YOLOv8s-pose", yolov8_source, make_yolov8_pose, 1},
    DetectionInfo{"yolov8m-pose", "YOLOv8m-pose", yolov8_source, make_yolov8_pose, 2},
    DetectionInfo{"yolov8l-pose", "YOLOv8l-pose", yolov8_source, make_yolov8_pose, 3},
    DetectionInfo{"yolov8x-pose", "YOLOv8x-pose", yolov8_source, make_yolov8_pose, 4},
    DetectionInfo{"yolov8n-obb", "YOLOv8n-obb", yolov8_source, make_yolov8_obb, 0, 1024},
    DetectionInfo{"yolov8s-obb", "YOLOv8s-obb", yolov8_source, make_yolov8_obb, 1, 1024},
    DetectionInfo{"yolov8m-obb", "YOLOv8m-obb", yolov8_source, make_yolov8_obb, 2, 1024},
    DetectionInfo{"yolov8l-obb", "YOLOv8l-obb", yolov8_source, make_yolov8_obb, 3, 1024},
    DetectionInfo{"yolov8x-obb", "YOLOv8x-obb", yolov8_source, make_yolov8_obb, 4, 1024},
    DetectionInfo{"yolov8n-oiv7", "YOLOv8n-oiv7", yolov8_source, make_yolov8_oiv7, 0},
    DetectionInfo{"yolov8s-oiv7", "YOLOv8s-oiv7", yolov8_source, make_yolov8_oiv7, 1},
    DetectionInfo{"yolov8m-oiv7", "YOLOv8m-oiv7", yolov8_source, make_yolov8_oiv7, 2},
    DetectionInfo{"yolov8l-oiv7", "YOLOv8l-oiv7", yolov8_source, make_yolov8_oiv7, 3},
    DetectionInfo{"yolov8x-oiv7", "YOLOv8x-oiv7", yolov8_source, make_yolov8_oiv7, 4},
    DetectionInfo{"yolo11n", "YOLO11n", yolo11_source, make_yolo11, 0},
    DetectionInfo{"yolo11s", "YOLO11s", yolo11_source, make_yolo11, 1},
    DetectionInfo{"yolo11m", "YOLO11m", yolo11_source, make_yolo11, 2},
    DetectionInfo{"yolo11l", "YOLO11l", yolo11_source, make_yolo11, 3},
    DetectionInfo{"yolo11x", "YOLO11x", yolo11_source, make_yolo11, 4},
    DetectionInfo{"yolo11n-seg", "YOLO11n-seg", yolo11_source, make_yolo11_seg, 0},
    DetectionInfo{"yolo11s-seg", "YOLO11s-seg", yolo11_source, make_yolo11_seg, 1},
    DetectionInfo{"yolo11m-seg", "YOLO11m-seg", yolo11_source, make_yolo11_seg, 2},
    DetectionInfo{"yolo11l-seg", "YOLO11l-seg", yolo11_source, make_yolo11_seg, 3},
    DetectionInfo{"yolo11x-seg", "YOLO11x-seg", yolo11_source, make_yolo11_seg, 4},
    DetectionInfo{"yolo11n-pose", "YOLO11n-pose", yolo11_source, make_yolo11_pose, 0},
    DetectionInfo{"yolo11s-pose", "YOLO11s-pose", yolo11_source, make_yolo11_pose, 1},
    DetectionInfo{"yolo11m-pose", "YOLO11m-pose", yolo11_source, make_yolo11_pose, 2},
    DetectionInfo{"yolo11l-pose", "YOLO11l-pose", yolo11_source, make_yolo11_pose, 3},
    DetectionInfo{"yolo11x-pose", "YOLO11x-pose", yolo11_source, make_yolo11_pose, 4},
    DetectionInfo{"yolo11n-obb", "YOLO11n-obb", yolo11_source, make_yolo11_obb, 0, 1024},
    DetectionInfo{"yolo11s-obb", "YOLO11s-obb", yolo11_source, make_yolo11_obb, 1, 1024},
    DetectionInfo{"yolo11m-obb", "YOLO11m-obb", yolo11_source, make_yolo11_obb, 2, 1024},
    DetectionInfo{"yolo11l-obb", "YOLO11l-obb", yolo11_source, make_yolo11_obb, 3, 1024},
    DetectionInfo{"yolo11x-obb", "YOLO11x-obb", yolo11_source, make_yolo11_obb, 4, 1024},
    DetectionInfo{"yolov9t", "YOLOv9t", yolov9_source, make_yolov9, 0},
    DetectionInfo{"yolov9s", "YOLOv9s", yolov9_source, make_yolov9, 1},
    DetectionInfo{"yolov9m", "YOLOv9m", yolov9_source, make_yolov9, 2},
    DetectionInfo{"yolov9c", "YOLOv9c", yolov9_source, make_yolov9, 3},
    DetectionInfo{"yolov9e", "YOLOv9e", yolov9_source, make_yolov9e},
    DetectionInfo{"yolov10n", "YOLOv10n", yolov10_source, make_yolov10, 0},
    DetectionInfo{"yolov10s", "YOLOv10s", yolov10_source, make_yolov10, 1},
    DetectionInfo{"yolov10m", "YOLOv10m", yolov10_source, make_yolov10, 2},
    DetectionInfo{"yolov10b", "YOLOv10b", yolov10_source, make_yolov10, 3},
    DetectionInfo{"yolov10l", "YOLOv10l", yolov10_source, make_yolov10, 4},
    DetectionInfo{"yolov10x", "YOLOv10x", yolov10_source, make_yolov10, 5},
    DetectionInfo{"yolo12n", "YOLO12n", yolo12_source, make_yolo12, 0},
    DetectionInfo{"yolo12s", "YOLO12s", yolo12_source, make_yolo12, 1},
    DetectionInfo{"yolo12m", "YOLO12m", yolo12_source, make_yolo12, 2},
    DetectionInfo{"yolo12l", "YOLO12l", yolo12_source, make_yolo12, 3},
    DetectionInfo{"yolo12x", "YOLO12x", yolo12_source, make_yolo12, 4},
    DetectionInfo{"yolo12n-seg", "YOLO12n-seg", yolo12_source, make_yolo12_seg, 0},
    DetectionInfo{"yolo12s-seg", "YOLO12s-seg", yolo12_source, make_yolo12_seg, 1},
    DetectionInfo{"yolo12m-seg", "YOLO12m-seg", yolo12_source, make_yolo12_seg, 2},
    DetectionInfo{"yolo12l-seg", "YOLO12l-seg", yolo12_source, make_yolo12_seg, 3},
    DetectionInfo{"yolo12x-seg", "YOLO12x-seg", yolo12_source, make_yolo12_seg, 4},
    DetectionInfo{"yolo26n", "YOLO26n", yolo26_source, make_yolo26, 0},
    DetectionInfo{"yolo26s", "YOLO26s", yolo26_source, make_yolo26, 1},
    DetectionInfo{"yolo26m", "YOLO26m", yolo26_source, make_yolo26, 2},
    DetectionInfo{"yolo26l", "YOLO26l", yolo26_source, make_yolo26, 3},
    DetectionInfo{"yolo26x", "YOLO26x", yolo26_source, make_yolo26, 4},
    DetectionInfo{"yolo26n-seg", "YOLO26n-seg", yolo26_source, make_yolo26_seg, 0},
    DetectionInfo{"yolo26s-seg", "YOLO26s-seg", yolo26_source, make_yolo26_seg, 1},
    DetectionInfo{"yolo26m-seg", "YOLO26m-seg", yolo26_source, make_yolo26_seg, 2},
    DetectionInfo{"yolo26l-seg", "YOLO26l-seg", yolo26_source, make_yolo26_seg, 3},
    DetectionInfo{"yolo26x-seg", "YOLO26x-seg", yolo26_source, make_yolo26_seg, 4},
    DetectionInfo{"yolo26n-pose", "YOLO26n-pose", yolo26_source, make_yolo26_pose, 0},
    DetectionInfo{"yolo26s-pose", "YOLO26s-pose", yolo26_source, make_yolo26_pose, 1},
    DetectionInfo{"yolo26m-pose", "YOLO26m-pose", yolo26_source, make_yolo26_pose, 2},
    DetectionInfo{"yolo26l-pose", "YOLO26l-pose", yolo26_source, make_yolo26_pose, 3},
    DetectionInfo{"yolo26x-pose", "YOLO26x-pose", yolo26_source, make_yolo26_pose, 4},
    DetectionInfo{"yolo26n-obb", "YOLO26n-obb", yolo26_source, make_yolo26_obb, 0, 1024},
    DetectionInfo{"yolo26s-obb", "YOLO26s-obb", yolo26_source, make_yolo26_obb, 1, 1024},
    DetectionInfo{"yolo26m-obb", "YOLO26m-obb", yolo26_source, make_yolo26_obb, 2, 1024},
    DetectionInfo{"yolo26l-obb", "YOLO26l-obb", yolo26_source, make_yolo26_obb, 3, 1024},
    DetectionInfo{"yolo26x-obb", "YOLO26x-obb", yolo26_source, make_yolo26_obb, 4, 1024},
    DetectionInfo{"ssd300-resnet50",
                  "SSD300, ResNet-50",
                  "Liu et al., ECCV 2016, NVIDIA's",
                  make_ssd300,
                  0,
                  300,
                  300},
    DetectionInfo{"retinanet-resnet50",
                  "RetinaNet, ResNet-50",
                  "Lin et al., ICCV 2017, torchvision's",
                  make_retinanet,
                  0,
                  800,
                  32,
                  true},
    DetectionInfo{"retinanet-resnext50",
                  "RetinaNet, ResNeXt-50 32x4d",
                  "Lin et al., ICCV 2017, MLPerf's",
                  make_retinanet_resnext,
                  0,
                  800,
                  32,
                  true},
    DetectionInfo{"rtdetr-r18", "RT-DETR-R18", rt_detr_source, make_rt_detr, 0},
    DetectionInfo{"rtdetr-r34", "RT-DETR-R34", rt_detr_source, make_rt_detr, 1},
    DetectionInfo{"rtdetr-r50", "RT-DETR-R50", rt_detr_source, make_rt_detr, 2},
    DetectionInfo{"rtdetr-r101", "RT-DETR-R101", rt_detr_source, make_rt_detr, 3},
    DetectionInfo{"rtdetr-l", "RT-DETR-L", rt_detr_source, make_rt_detr_hgnet, 0},
    DetectionInfo{"rtdetr-x", "RT-DETR-X", rt_detr_source, make_rt_detr_hgnet, 1},
    DetectionInfo{"dfine-n", "D-FINE-N", d_fine_source, make_d_fine, 0},
    DetectionInfo{"dfine-s", "D-FINE-S", d_fine_source, make_d_fine, 1},
    DetectionInfo{"dfine-m", "D-FINE-M", d_fine_source, make_d_fine, 2},
    DetectionInfo{"dfine-l", "D-FINE-L", d_fine_source, make_d_fine, 3},
    DetectionInfo{"dfine-x", "D-FINE-X", d_fine_source, make_d_fine, 4},
    DetectionInfo{"rfdetr-nano", "RF-DETR-N", rf_detr_source, make_rf_detr, 0, 384, 32},
    DetectionInfo{"rfdetr-small", "RF-DETR-S", rf_detr_source, make_rf_detr, 1, 512, 32},
    DetectionInfo{"rfdetr-medium", "RF-DETR-M", rf_detr_source, make_rf_detr, 2, 576, 32},
    DetectionInfo{"rfdetr-base", "RF-DETR-B", rf_detr_source, make_rf_detr, 3, 560, 56},
    DetectionInfo{"rfdetr-large", "RF-DETR-L", rf_detr_source, make_rf_detr, 4, 704, 32},
    DetectionInfo{
        "rfdetr-seg-preview", "RF-DETR-Seg-Preview", rf_detr_source, make_rf_detr_seg, 0, 432, 24},
    DetectionInfo{"rfdetr-seg-nano", "RF-DETR-Seg-N", rf_detr_source, make_rf_detr_seg, 1, 312, 12},
    DetectionInfo{
        "rfdetr-seg-small", "RF-DETR-Seg-S", rf_detr_source, make_rf_detr_seg, 2, 384, 24},
    DetectionInfo{
        "rfdetr-seg-medium", "RF-DETR-Seg-M", rf_detr_source, make_rf_detr_seg, 3, 432, 24},
    DetectionInfo{
        "rfdetr-seg-large", "RF-DETR-Seg-L", rf_detr_source, make_rf_detr_seg, 4, 504, 24},
    DetectionInfo{
        "rfdetr-seg-xlarge", "RF-DETR-Seg-XL", rf_detr_source, make_rf_detr_seg, 5, 624, 24},
    DetectionInfo{
        "rfdetr-seg-2xlarge", "RF-DETR-Seg-2XL", rf_detr_source, make_rf_detr_seg, 6, 768, 24},
    DetectionInfo{"detr-resnet50", "DETR, ResNet-50", detr_source, make_detr, 0, 800},
    DetectionInfo{"detr-resnet101", "DETR, ResNet-101", detr_source, make_detr, 1, 800},
    DetectionInfo{"segformer-b0", "SegFormer-B0", segformer_source, make_segformer, 0, 512},
    DetectionInfo{"segformer-b1", "SegFormer-B1", segformer_source, make_segformer, 1, 512},
    DetectionInfo{"segformer-b2", "SegFormer-B2", segformer_source, make_segformer, 2, 512},
    DetectionInfo{"segformer-b3", "SegFormer-B3", segformer_source, make_segformer, 3, 512},
    DetectionInfo{"segformer-b4", "SegFormer-B4", segformer_source, make_segformer, 4, 512},
    DetectionInfo{"segformer-b5", "SegFormer-B5", segformer_source, make_segformer, 5, 640},
    DetectionInfo{"sam-vit-b", "SAM ViT-B, image encoder", sam_source, make_sam, 0, 1024, 64},
    DetectionInfo{"sam-vit-l", "SAM ViT-L, image encoder", sam_source, make_sam, 1, 1024, 64},
    DetectionInfo{"sam-vit-h", "SAM ViT-H, image encoder", sam_source, make_sam, 2, 1024, 64},
    DetectionInfo{
        "sam2-hiera-tiny", "SAM 2 Hiera-T, image encoder", sam2_source, make_sam2, 0, 1024, 64},
    DetectionInfo{
        "sam2-hiera-small", "SAM 2 Hiera-S, image encoder", sam2_source, make_sam2, 1, 1024, 64},
    DetectionInfo{"sam2-hiera-base-plus",
                  "SAM 2 Hiera-B plus, image encoder",
                  sam2_source,
                  make_sam2,
                  2,
                  1024,
                  64},
    DetectionInfo{
        "sam2-hiera-large", "SAM 2 Hiera-L, image encoder", sam2_source, make_sam2, 3, 1024, 64},
    DetectionInfo{"fasterrcnn-resnet50",
                  "Faster R-CNN, ResNet-50",
                  "Ren et al., NeurIPS 2015, torchvision's",
                  make_faster_rcnn,
                  0,
                  800,
                  800,
                  true},
    DetectionInfo{"maskrcnn-resnet50",
                  "Mask R-CNN, ResNet-50",
                  "He et al., ICCV 2017, torchvision's",
                  make_mask_rcnn,
                  0,
                  800,
                  800,
                  true},
    DetectionInfo{
        "unet", "U-Net", "Ronneberger et al., MICCAI 2015, padded", make_unet, 0, 512, 16},
    DetectionInfo{"fcn-resnet50",
                  "FCN, ResNet-50",
                  "Long et al., CVPR 2015, torchvision's",
                  make_fcn,
                  0,
                  520,
                  8},
    DetectionInfo{"deeplabv3-resnet50",
                  "DeepLabv3, ResNet-50",
                  "Chen et al., 2017, torchvision's",
                  make_deeplabv3,
                  0,
                  520,
                  8},
};

}  // namespace

std::span<const DetectionInfo> detection_networks() {
  return networks;
}

}  // namespace rightsize
