#include "advisor/premises.h"

#include <set>

#include "advisor/assumptions.h"
#include "advisor/candidate/data_home.h"
#include "advisor/candidate/own_loader.h"
#include "advisor/listed_gpus.h"
#include "advisor/machine/estimator.h"
#include "advisor/own_machine_notes.h"
#include "advisor/place_warnings.h"
#include "advisor/price_warnings.h"
#include "advisor/today.h"
#include "advisor/warnings.h"
#include "kernels/networks/recommendation/recommendation.h"

namespace rightsize {
namespace {

void add_evidence(const Evidence& evidence, Recommendation& answer) {
  const auto& model = evidence.model;
  answer.runs = model.runs;
  answer.model_error = model.cv_median_error;
  answer.model_p90_error = model.cv_p90_error;
  answer.data_path_note = data_path_note(model, answer.query);
  answer.machine = model.machine;
  answer.measured_at = model.measured_at;
  answer.tool_version = RIGHTSIZE_VERSION;
  answer.generated_at = now_utc();
  std::set<std::string> used;
  for (const auto& option : answer.options) {
    used.insert(option.price_source.substr(0, option.price_source.find(':')) + ", " +
                (option.price_as_of.empty() ? "undated" : option.price_as_of));
  }
  const auto data = stored_data(answer.query, evidence.catalog);
  if (data && !answer.options.empty()) {
    used.insert("object_storage.csv, " + data->storage->as_of);
  }
  answer.price_tables.assign(used.begin(), used.end());
}

}  // namespace

std::string data_path_note(const Model& model, const Query& query) {
  Workload work;
  const bool reads = !query.serves() && !program_reads(query, query.loader);
  // Ids of tokens lie in memory; samples of a recommender are read.
  const bool in_memory = query.format == DataFormat::tokens && !is_recommendation(query.network);
  work.network = query.network;
  work.data = reads && !in_memory ? query.format : DataFormat::synthetic;
  work.shuffle = query.shuffle;
  return stand_in_note(model, work);
}

void add_premises(const Evidence& evidence, const Offer* chosen, Recommendation& answer) {
  add_evidence(evidence, answer);
  add_assumptions(evidence.model, answer);
  note_listed_gpus(evidence.catalog, answer);
  add_warnings(evidence, chosen, answer);
  warn_of_places(evidence.catalog, answer);
  add_own_machine_notes(evidence.catalog, answer);
  if (!answer.query.tokens) {  // into which nothing of a CPU enters
    warn_of_cpus(evidence.cpu_speeds, answer);
  }
}

}  // namespace rightsize
