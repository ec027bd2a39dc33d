// Detectors and segmenters, as users ask for them.
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "advisor/query/words.h"
#include "predicted_step.h"
#include "support/approx.h"
#include "support/program.h"

using namespace rightsize;
namespace json = boost::json;
using test::rate;
using test::run_without_model;
using test::Words;

namespace {

json::value step(const std::string& network, const std::string& gpu, Words more) {
  more.insert(more.end(), {"--precision", "fp16"});
  return test::predicted_step(network, "gpu=" + gpu, more, "0");
}

}  // namespace

TEST_CASE("detection: images a second, fewer of larger networks and pictures") {
  const Words infer{"--phase", "infer", "--batch", "32", "--framework", "TensorRT"};
  const auto small = step("yolov8s", "A100", infer);
  CHECK(small.at("throughput").at("unit") == "img/s");
  CHECK(rate(step("yolov8n", "A100", infer)) > 1.3 * rate(small));
  CHECK(rate(step("yolov8x", "A100", infer)) < rate(small) / 4);
  CHECK(rate(step("yolov8s:size=1280", "A100", infer)) ==
        test::approx(rate(small) / 4).epsilon(0.1));
  CHECK(rate(step("ultralytics/yolov8s", "A100", infer)) == rate(small));
  CHECK(rate(step("yolov8s.pt", "A100", infer)) == rate(small));
  for (const char* const other :
       {"yolov5s", "yolo11s", "ssd300-resnet50", "retinanet-resnet50", "unet", "fcn-resnet50"}) {
    CAPTURE(std::string(other));
    CHECK(step(other, "A100", infer).at("status") == "ok");
  }
}

TEST_CASE("detection: training is answered, with memory that grows with the batch") {
  const auto of = [](const char* batch) {
    return step("yolov8m", "A100", {"--phase", "train", "--batch", batch});
  };
  const auto memory = [](const json::value& answer) {
    return answer.at("gpu_memory_needed_gib").as_double();
  };
  CHECK(of("16").at("status") == "ok");
  CHECK(memory(of("32")) > 1.6 * memory(of("16")));
  const auto refused = test::predict_step(
      "yolov8m", "gpu=A100", {"--phase", "train", "--batch", "2048", "--precision", "fp16"}, "0");
  CHECK(refused.code == cli::exit_nothing_satisfies);
}

TEST_CASE("detection: words, forms and files' names") {
  CHECK(network_meant("YOLOv8n") == "yolov8n");
  CHECK(network_meant("YOLO11m.pt") == "yolo11m");
  CHECK(network_meant("yolov11m:size=1280") == "yolo11m:size=1280");
  CHECK(network_meant("Ultralytics/YOLOv8n") == "yolov8n");
  CHECK(network_meant("runs/yolov8n.pt:size=320") == "yolov8n:size=320");
  CHECK(network_meant("retinanet_resnet50_fpn") == "retinanet-resnet50");
  CHECK(network_meant("DeepLabv3_ResNet50") == "deeplabv3-resnet50");
  const auto refused = run_without_model(
      {"predict", "--network", "yolov8n:size=650", "--machine", "gpu=A100", "--batch", "1"});
  CHECK(refused.code != cli::exit_ok);
  CHECK((refused.out + refused.err).find("a multiple of 32") != std::string::npos);
}
