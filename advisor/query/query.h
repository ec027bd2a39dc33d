// What the user asks: the job, the data it reads, and the constraints. From a TOML file, with
// command-line flags on top.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advisor/judge/interruption.h"
#include "advisor/query/network_step.h"
#include "advisor/query/objective.h"
#include "advisor/query/own_rate.h"
#include "advisor/query/usage_error.h"
#include "advisor/service/service.h"
#include "advisor/tokens/token_service.h"
#include "advisor/tokens/token_slo.h"
#include "kernels/workload.h"
#include "models/laws/interconnect.h"
#include "models/program_cpus.h"
#include "pricing/money.h"
#include "pricing/offer.h"

namespace rightsize {

// Where images are resized, cropped and normalised once they are decoded: by the vCPUs, or by the
// GPU, as DALI does. Decoding stays with the vCPUs.
enum class PreprocessChoice { cpu, gpu, either };

// The job is a step of a network, again and again; whose software where it is not named:
// job_defaults.h.
struct Query : NetworkStep {
  Query() { precision = Precision::fp16; }

  std::string name;  // for headings
  std::string file;

  // the rest of the job
  std::vector<int> batches = {128};  // per GPU, each a candidate; none: what fits
  std::uint64_t items = 0;           // of the training set (or to infer)
  double epochs = 1;
  DataFormat format = DataFormat::recordio;
  bool precision_said = false;  // else it is the usual one of jobs, which is no wish
  std::uint64_t dataset_bytes = 0;
  DataFormat writes = DataFormat::lmdb;  // of phase preprocess: what it makes of them
  bool shuffle = true;
  // Where it lies in object storage, "aws" or "aws/us-east-1"; empty: it costs nothing to get.
  std::string data_at;
  PreprocessChoice preprocess_on = PreprocessChoice::cpu;
  // The user's own program that loads them, or "rightsize" (own_loader.h); empty: a framework's.
  std::string loader;

  // of training on several machines
  int nodes_max = 1;                  // of one kind that work together: 1, 2, 4 ... so many
  InterconnectWords network_between;  // them; what is not said is assumed

  // Of network "program:NAME", as the fitted model knows it (own_program.h); empty until it is
  // asked.
  std::optional<ProgramWork> program;
  // What the user's own program did on GPUs.
  std::vector<OwnRate> measured;

  // Requests to answer instead of a data set to work through; then cost is a month's, the phase is
  // infer, and a batch is the largest minibatch.
  std::optional<Service> service;
  // The same of a language model that writes token by token: the phase is decode, and `service` is
  // empty.
  std::optional<TokenService> tokens;
  std::optional<double> service_hours;  // of a month, that a service runs; all unless said
  OwnLimitFlags own_limit_flags;        // how the command line says its limits, for hints

  // Whether it is asked for by the month, and has neither data to work through nor an end.
  [[nodiscard]] bool serves() const { return service || tokens; }

  // Of a service: what is not paid for by the month is given back for the others.
  [[nodiscard]] double hours_of_month() const;

  Interruptions interruptions;  // of spot machines

  // the constraints; absent = do not care
  std::optional<double> deadline_s;
  std::optional<Money> budget;
  std::string budget_said_by;  // of a job file's: its place, for who counts it in `currency`
  double confidence = 0.9;     // wanted probability of meeting the deadline and the budget
  std::vector<Market> markets = {Market::on_demand};
  std::string book = "current";    // "current", "era-2017", imported ones; several by comma
  std::vector<std::string> infra;  // patterns provider/region, "aws/us-*"; empty = everywhere
  std::vector<std::string> gpus;   // that a machine may have (gpu_choice.h); empty = any, or none
  std::optional<double> gpus_min, gpus_max;
  std::optional<double> vcpus_min, vcpus_max;
  std::optional<double> memory_gib_min, memory_gib_max;
  std::string allow;  // regular expressions on the instance name
  std::string deny;

  // Of the job: for savings by the month, and what each bears of what is paid for whole months.
  std::optional<double> runs_per_month;
  // The machine it runs on today, in the words of read_current(); empty: nobody says.
  std::string current;
  std::string current_said_by = "--current";  // or its place in the job file, for errors
  Objective objective;                        // what is best among those that meet the constraints

  // money
  std::string currency = "USD";
  bool currency_stated = false;            // by the job file or --currency
  std::optional<int> utilisation_percent;  // of a reservation: the hours there is work for
  Rates rates;
};

// "cpu", "gpu", "either"; nullopt for other words.
[[nodiscard]] std::optional<PreprocessChoice> parse_preprocess_choice(std::string_view text);
[[nodiscard]] std::string_view to_string(PreprocessChoice value);

// "ib:100", "ethernet:25", "25GbE": a network between machines. Throws UsageError naming `what`.
[[nodiscard]] InterconnectWords parse_network(const std::string& text, const std::string& what);

// The same in words that parse_network() reads; nullopt where no network is said.
[[nodiscard]] std::optional<std::string> network_words(const InterconnectWords& network);

constexpr int most_nodes_together = 4096;

// One rule for every command: the requests of a service bring their inputs, decoded, and no data
// set is read for them. Throws UsageError for a service with one.
void refuse_data_of_service(const Query& query);

// Reads a job file. Throws UsageError "file:line:column: key = value: expected X, saw Y".
[[nodiscard]] Query load_query(const std::string& path);

// "90s", "10m", "32h", "2d", "1:30:00" -> seconds. Throws UsageError naming `what`.
[[nodiscard]] double parse_duration(const std::string& text, const std::string& what);

// "140GB", "512MiB" -> bytes. Throws UsageError naming `what`.
[[nodiscard]] std::uint64_t parse_size(const std::string& text, const std::string& what);

}  // namespace rightsize
