// The makers behind the table of detection.cpp.
#pragma once

#include "kernels/networks/detection/detection.h"

namespace rightsize::detection {

[[nodiscard]] Network make_yolov5(const DetectionAsked& asked);
[[nodiscard]] Network make_yolov8(const DetectionAsked& asked);
[[nodiscard]] Network make_yolov8_seg(const DetectionAsked& asked);
[[nodiscard]] Network make_yolov8_pose(const DetectionAsked& asked);
[[nodiscard]] Network make_yolov8_obb(const DetectionAsked& asked);
[[nodiscard]] Network make_yolov8_oiv7(const DetectionAsked& asked);
[[nodiscard]] Network make_yolo11(const DetectionAsked& asked);
[[nodiscard]] Network make_yolo11_seg(const DetectionAsked& asked);
[[nodiscard]] Network make_yolo11_pose(const DetectionAsked& asked);
[[nodiscard]] Network make_yolo11_obb(const DetectionAsked& asked);
[[nodiscard]] Network make_yolov9(const DetectionAsked& asked);
[[nodiscard]] Network make_yolov9e(const DetectionAsked& asked);
[[nodiscard]] Network make_yolov10(const DetectionAsked& asked);
[[nodiscard]] Network make_yolo12(const DetectionAsked& asked);
[[nodiscard]] Network make_yolo12_seg(const DetectionAsked& asked);
[[nodiscard]] Network make_yolo26(const DetectionAsked& asked);
[[nodiscard]] Network make_yolo26_seg(const DetectionAsked& asked);
[[nodiscard]] Network make_yolo26_pose(const DetectionAsked& asked);
[[nodiscard]] Network make_yolo26_obb(const DetectionAsked& asked);
[[nodiscard]] Network make_segformer(const DetectionAsked& asked);
[[nodiscard]] Network make_detr(const DetectionAsked& asked);
[[nodiscard]] Network make_rt_detr(const DetectionAsked& asked);
[[nodiscard]] Network make_rt_detr_hgnet(const DetectionAsked& asked);
[[nodiscard]] Network make_d_fine(const DetectionAsked& asked);
[[nodiscard]] Network make_rf_detr(const DetectionAsked& asked);
[[nodiscard]] Network make_rf_detr_seg(const DetectionAsked& asked);
[[nodiscard]] Network make_faster_rcnn(const DetectionAsked& asked);
[[nodiscard]] Network make_mask_rcnn(const DetectionAsked& asked);
[[nodiscard]] Network make_sam(const DetectionAsked& asked);
[[nodiscard]] Network make_sam2(const DetectionAsked& asked);
[[nodiscard]] Network make_ssd300(const DetectionAsked& asked);
[[nodiscard]] Network make_retinanet(const DetectionAsked& asked);
[[nodiscard]] Network make_retinanet_resnext(const DetectionAsked& asked);
[[nodiscard]] Network make_unet(const DetectionAsked& asked);
[[nodiscard]] Network make_fcn(const DetectionAsked& asked);
[[nodiscard]] Network make_deeplabv3(const DetectionAsked& asked);

}  // namespace rightsize::detection
