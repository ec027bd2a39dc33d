// Networks that PyTorch trained from the weights in the file: twenty steps of ours must give its
// losses (tests/data/onnx/export_trained.py).
#include <vector>

#include <doctest/doctest.h>

#include "support/approx.h"
#include "support/onnx_file.h"

namespace {

using namespace rightsize;

struct Trained {
  const char* name;
  float learning_rate;
};

std::vector<std::int32_t> narrow(const std::vector<std::int64_t>& values) {
  return {values.begin(), values.end()};
}

// Of each step, before its update.
std::vector<double> losses_of(const Trained& trained, const std::string& folder) {
  const auto model = load_onnx(folder + "/model.onnx");
  REQUIRE_MESSAGE(model.network, model.report.reason());
  const auto input = test::read_tensor_file(folder + "/input_0.pb");
  const auto labels = narrow(test::read_tensor_file(folder + "/labels.pb").ints);
  const auto tokens = narrow(input.ints);
  EngineOptions options;
  options.batch = static_cast<int>(input.dims.at(0));
  options.threads = 1;
  options.learning_rate = trained.learning_rate;
  cpu::CpuEngine engine(*model.network, options);  // AdamW where there is attention or LayerNorm
  engine.load_parameters(model.parameters);
  std::vector<double> losses;
  for (int step = 0; step < 20; ++step) {
    losses.push_back(engine.step({input.floats, labels, tokens}).loss.value());
  }
  return losses;
}

}  // namespace

TEST_CASE("onnx: twenty steps of training lose what PyTorch's do") {
  for (const auto& trained : {Trained{"resnet", 0.01F},
                              Trained{"mobilenet", 0.01F},
                              Trained{"inception", 0.05F},
                              Trained{"vgg", 0.05F},
                              Trained{"gpt2", 0.003F},
                              Trained{"vit", 0.003F},
                              Trained{"mobilenetv3", 0.02F},
                              Trained{"shufflenet", 0.02F},
                              Trained{"convnext", 0.003F},
                              Trained{"darknet", 0.02F},
                              Trained{"text_classifier", 0.1F},
                              Trained{"lstm_language", 0.1F}}) {
    CAPTURE(trained.name);
    const auto folder =
        std::string(RIGHTSIZE_SOURCE_DIR) + "/tests/data/onnx/trained_" + trained.name;
    const auto losses = losses_of(trained, folder);
    const auto expected = test::read_tensor_file(folder + "/losses.pb").floats;
    REQUIRE(expected.size() == losses.size());
    for (std::size_t step = 0; step < losses.size(); ++step) {
      CAPTURE(step);
      CHECK(losses[step] == test::approx(expected[step]).epsilon(3e-3));
    }
  }
}
