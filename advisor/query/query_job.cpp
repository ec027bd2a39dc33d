#include "advisor/query/query_job.h"

#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "advisor/candidate/network_facts.h"
#include "advisor/candidate/own_program.h"
#include "advisor/query/batch_limit.h"
#include "advisor/query/job_keys.h"
#include "advisor/query/network_misfit.h"
#include "advisor/query/quantised_name.h"
#include "advisor/query/query_service.h"
#include "advisor/query/software_words.h"
#include "advisor/query/tuning_words.h"
#include "advisor/query/usual_precision.h"
#include "advisor/query/words.h"
#include "advisor/query/writing_words.h"
#include "kernels/longer_sequence.h"
#include "kernels/network.h"
#include "kernels/networks/detection/detection.h"
#include "kernels/networks/diffusion/diffusion.h"
#include "kernels/networks/encoder_decoder/encoder_decoder.h"
#include "kernels/networks/program.h"
#include "kernels/networks/recommendation/recommendation.h"
#include "kernels/networks/weight_format.h"
#include "kernels/onnx/onnx.h"
#include "models/laws/decode_software.h"

namespace rightsize {
namespace {

void read_network(TomlFields& job, Query& query) {
  const auto said = job.text("network").value_or(query.network);
  query.network =
      rooted_network(network_meant(said), std::filesystem::path(query.file).parent_path().string());
  if (const auto sequence = job.integer("sequence")) {
    constexpr std::int64_t longest = 1 << 20;
    if (*sequence < 1 || *sequence > longest) {
      job.fail("sequence", "tokens per item, from 1; without it the network's own");
    }
    query.sequence = static_cast<int>(*sequence);
  }
  if (const auto phase = job.text("phase")) {
    const auto parsed = parse_phase(*phase);
    if (!parsed) {
      job.fail("phase", "\"train\", \"infer\", \"preprocess\" or, of a language model, \"decode\"");
    }
    query.phase = *parsed;
  }
  if (auto named = query.phase == Phase::decode ? quantised_name(said) : std::nullopt) {
    query.network = std::move(named->network);
    query.writing.weights = named->weights;  // which a key may say otherwise
  }
  const auto precision = job.text("precision");
  const auto narrow = precision && query.phase == Phase::decode && !job.has("weights")
                          ? weights_as_precision(*precision)
                          : std::nullopt;
  if (narrow) {
    query.writing.weights = narrow;
  } else if (precision) {
    const auto parsed = parse_precision(*precision);
    if (!parsed) {
      job.fail("precision", precision_grammar);
    }
    query.precision = *parsed;
    query.precision_said = true;
  }
  // Of a model that makes pictures or writes the name says in how many bits its matrices lie.
  const bool formed = is_diffusion(query.network) || is_encoder_decoder(query.network);
  if (formed && query.phase == Phase::infer && job.has("weights")) {
    const auto weights = job.text("weights").value_or("");
    if (bits_of_weight_format(weights) == 0) {
      job.fail("weights", std::string(weight_grammar) + "; without it the job's precision");
    }
    query.network += ":weights=" + weights;
  }
}

// A network that there is, with a sequence it can read: told by the line that says otherwise.
void require_network(const TomlFields& job, const Query& query) {
  const char* blamed = "network";
  try {
    if (program_named(query.network)) {
      if (const auto misfit = program_misfit(query, query.serves()); !misfit.empty()) {
        throw UsageError("expected " + misfit);
      }
    }
    const auto network = make_network(query.network);
    if (const auto why = why_not_in_phase(network, query.phase); !why.empty()) {
      blamed = "phase";
      throw UsageError(why);
    }
    if (const auto misfit = network_misfit(network, query)) {
      blamed = misfit->key;
      throw UsageError("expected " + misfit->expected);
    }
    if (query.sequence > 0) {
      blamed = "sequence";
      static_cast<void>(make_network(query.network, query.sequence, query.phase));
    }
  } catch (const std::runtime_error& error) {  // also of a file that is none
    throw UsageError(fmt::format("{}: {}", job.place(blamed), error.what()));
  }
}

void read_batches(TomlFields& job, Query& query) {
  const auto batches = job.integers("batch_per_gpu");
  if (!batches.empty() && program_named(query.network)) {
    job.fail("batch_per_gpu", "none: " + std::string(steps_of_program));
  }
  if (batches.empty() && job.has("batch_per_gpu")) {
    job.fail("batch_per_gpu", "at least one batch");
  }
  if (batches.empty()) {
    // Of most networks an offer takes what fits it (batch_choice.h). Of pictures that are made few
    // fit, and those at once wait for one another; so do texts that are written. Detectors read
    // large images, and recommenders samples that are next to nothing each.
    const bool makes_pictures = is_diffusion(query.network) && query.phase == Phase::infer;
    query.batches = makes_pictures                      ? std::vector{1, 2, 4, 8}
                    : is_encoder_decoder(query.network) ? std::vector{1, 4, 8, 16, 32, 64}
                    : is_detection(query.network)       ? std::vector{1, 2, 4, 8, 16, 32, 64, 128}
                    : is_recommendation(query.network)  ? std::vector{2048, 8192, 32768, 65536}
                                                        : std::vector<int>{};
    return;
  }
  query.batches.clear();
  for (const auto batch : batches) {
    if (batch < 1 || batch > most_items_in_batch) {
      job.fail("batch_per_gpu", std::string(batch_grammar));
    }
    query.batches.push_back(static_cast<int>(batch));
  }
}

int read_parallel(TomlFields& job, const char* key) {
  const auto gpus = job.integer(key).value_or(1);
  if (gpus < 1 || gpus > most_nodes_together) {
    job.fail(key,
             fmt::format("GPUs that share a copy of the network, 1 to {}", most_nodes_together));
  }
  return static_cast<int>(gpus);
}

// The GPUs that share a step, and how.
void read_sharing(TomlFields& job, Query& query) {
  if (const auto exchange = job.text("exchange")) {
    query.exchange = parse_exchange(*exchange);
    if (!query.exchange) {
      job.fail("exchange", "one of local, device, nccl, sharded; without it the fastest is taken");
    }
  }
  query.recompute = job.boolean("recompute");
  query.tensor_parallel = read_parallel(job, "tensor_parallel");
  query.tensor_parallel_said = job.has("tensor_parallel");
  query.pipeline_parallel = read_parallel(job, "pipeline_parallel");
  query.expert_parallel = read_parallel(job, "expert_parallel");
  if (job.has("expert_tensor_parallel")) {
    query.expert_tensor_parallel = read_parallel(job, "expert_tensor_parallel");
  }
  query.context_parallel = read_parallel(job, "context_parallel");
  if (const auto chunks = job.integer("virtual_pipeline")) {
    if (*chunks < 1 || *chunks > most_chunks) {
      job.fail("virtual_pipeline", virtual_pipeline_grammar);
    }
    query.virtual_pipeline = static_cast<int>(*chunks);
  }
  if (const auto misfit = sharing_misfit(query)) {
    job.fail(misfit->key, misfit->expected);
  }
}

void read_tuning(TomlFields& job, Query& query) {
  if (const auto adapter = job.text("adapter")) {
    const auto parsed = parse_adapters(*adapter);
    if (!parsed) {
      job.fail("adapter", std::string(adapter_grammar));
    }
    query.tuning.adapters = *parsed;
  }
  if (const auto optimizer = job.text("optimizer")) {
    const auto parsed = parse_optimizer(*optimizer);
    if (!parsed) {
      job.fail("optimizer", std::string(optimizer_grammar));
    }
    query.tuning.state.optimizer = *parsed;
  }
  if (const auto masters = job.text("master_weights")) {
    const auto parsed = parse_master_weights(*masters);
    if (!parsed) {
      job.fail("master_weights", std::string(master_weights_grammar));
    }
    query.tuning.state.masters = *parsed;
  }
  const auto accumulate = job.integer("accumulate").value_or(1);
  if (accumulate < 1 || accumulate > most_accumulated) {
    job.fail("accumulate",
             fmt::format("minibatches before an update, from 1 to {}", most_accumulated));
  }
  query.accumulate = static_cast<int>(accumulate);
  if (const auto global = job.integer("global_batch")) {
    if (!is_global_batch(*global)) {
      job.fail("global_batch", std::string(global_batch_grammar));
    }
    query.global_batch = static_cast<int>(*global);
    if (query.gpus_per_copy() > 1 && job.has("batch_per_gpu")) {
      job.fail("batch_per_gpu",
               "none beside global_batch where GPUs share a copy, whose part of it is each one's");
    }
  }
  if (const auto misfit = tuning_misfit(query)) {
    job.fail(misfit->key, misfit->expected);
  }
}

void read_software(TomlFields& job, Query& query) {
  if (const auto stack = job.text("stack")) {
    query.stack = stack_meant(*stack);
    if (!query.stack) {
      job.fail("stack", "era (the libraries of 2015-2018) or current");
    }
  }
  const auto framework = job.text("framework");
  if (framework && query.phase == Phase::decode) {
    const auto writer = decode_software(*framework);
    if (!writer) {
      job.fail("framework", "what writes tokens: " + known_decode_software());
    }
    query.framework = *writer;
  } else if (framework) {
    const auto software = software_meant(*framework);
    if (!software || software->framework.empty()) {
      job.fail("framework", known_frameworks(*framework));
    }
    query.framework = software->framework;
    query.stack = query.stack ? query.stack : software->stack;
    take_form_of_framework(query);
  }
  if (!query.precision_said) {
    query.precision = usual_precision(query.stack);
  }
}

}  // namespace

void read_job(TomlFields job, Query& query) {
  read_network(job, query);
  read_batches(job, query);
  const auto epochs = job.number("epochs");
  constexpr double most_epochs = 1e9;
  if (epochs && (!(*epochs > 0) || *epochs > most_epochs)) {
    job.fail("epochs", fmt::format("a number above 0 and at most {:g}", most_epochs));
  }
  query.epochs = epochs.value_or(1);
  read_software(job, query);
  read_sharing(job, query);
  read_tuning(job, query);
  if (query.phase == Phase::decode) {
    read_form(job, query);
  } else {
    require_network(job, query);
  }
  job.expect({"runs_per_month", "current"});  // read_today()
  job.reject_unknown(where_key_belongs);
}

}  // namespace rightsize
