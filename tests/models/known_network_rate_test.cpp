// Figures that were published of a name answer for a file whose network computes the same.
#include <string>

#include <doctest/doctest.h>

#include "models/calibration_files.h"
#include "models/model.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

const std::string bert = R"({"model_type": "bert", "architectures": ["BertForMaskedLM"],
  "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "hidden_act": "gelu",
  "intermediate_size": 3072, "max_position_embeddings": 512, "type_vocab_size": 2,
  "layer_norm_eps": 1e-12, "vocab_size": )";

RateQuery asked(const std::string& network, int sequence) {
  return {.network = network,
          .phase = Phase::infer,
          .precision = Precision::fp16,
          .gpu = "A100",
          .batch = 32,
          .sequence = sequence};
}

}  // namespace

TEST_CASE("known network: a rate by its file is the rate by its name, and says what it rests on") {
  const TemporaryFolder folder;
  const auto same = folder.write("same/config.json", bert + "30522}");
  const auto other = folder.write("other/config.json", bert + "30528}");
  const auto rates = test::shipped_rates();
  const auto of_name = rates.rate(asked("bert-base", 128));
  const auto of_file = rates.rate(asked(same, 128));
  const auto of_other = rates.rate(asked(other, 128));
  REQUIRE((of_name && of_file && of_other));
  CHECK(of_file->items_per_s == of_name->items_per_s);
  CHECK(of_file->log_sd == of_name->log_sd);
  CHECK(of_file->regime == of_name->regime);
  CHECK(of_file->provenance == of_name->provenance);
  CHECK(of_other->regime > of_name->regime);  // whose figures are another network's
  CHECK(rates.launch_share(asked(same, 128)) == rates.launch_share(asked("bert-base", 128)));
  // Without a length it is as long as the file says, 512.
  CHECK(rates.rate(asked(same, 0))->items_per_s ==
        rates.rate(asked("bert-base", 512))->items_per_s);
}

TEST_CASE("known network: what was measured of the file or of the name is of both") {
  const TemporaryFolder folder;
  const auto path = folder.write("config.json", bert + "30522}");
  MeasuredRate measured;
  measured.network = path;
  measured.phase = Phase::infer;
  measured.precision = Precision::fp16;
  measured.gpu = "A100";
  measured.batch = 32;
  measured.sequence = 128;
  measured.items_per_s = 1234;
  auto rates = test::shipped_rates();
  rates.add_measured({&measured, 1});
  for (const auto& name : {path, std::string("bert-base")}) {
    const auto rate = rates.rate(asked(name, 128));
    REQUIRE(rate);
    CHECK(rate->regime == RateRegime::measured);
  }
}
