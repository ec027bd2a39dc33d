// One question to predict: a piece of work on a machine that is only described. What is not stated
// is left open (nullopt) and decided, visibly, by the Estimator.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "advisor/machine/machine_spec.h"
#include "advisor/query/network_step.h"
#include "advisor/query/objective.h"
#include "advisor/query/own_rate.h"
#include "advisor/service/service.h"
#include "advisor/tokens/token_service.h"
#include "kernels/workload.h"

namespace rightsize {

struct Query;
enum class PreprocessChoice;  // query.h

struct Configuration : NetworkStep {
  std::optional<int> batch;  // per GPU, or of the CPU machine
  std::vector<int> batches;  // where that is not stated, the fastest of these; empty: one that fits
  DataFormat data = DataFormat::synthetic;
  bool of_job = false;            // from a job file: what it leaves open is as job_defaults.h says
  bool precision_said = true;     // but by a job that says none
  std::vector<OwnRate> measured;  // what the user's own program did on GPUs
  bool parameter_server = false;
  Compression compression = Compression::none;

  // the data set; ImageNet's size where data is real and nothing is said
  std::uint64_t items = 1281167;
  std::uint64_t bytes = 140'000'000'000;
  DataFormat writes = DataFormat::lmdb;  // of phase preprocess
  bool shuffle = true;
  PreprocessChoice preprocess_on{};  // either: the faster on the machine
  std::string loader;                // as Query::loader
  int loader_threads = 0;            // 0: one for each vCPU
  std::optional<double> epochs;  // of a job: its time is told, and a disk's credits are spent on it

  // Requests to answer instead of a data set to work through, and the wanted probability of
  // answering them in time: of a job with [service].
  std::optional<Service> service;
  std::optional<TokenService> tokens;  // of a language model that writes them, likewise
  double confidence = 0.9;
  Objective objective;  // of a job with [service]: which limit of the minibatch is the better

  MachineSpec machine;
};

// What a job asks for, on a machine that is yet to be filled in.
[[nodiscard]] Configuration configuration_of(const Query& query);

// ImageNet's training set as it lies on disk: 240 GB of raw 256 x 256 pictures in LMDB, 140 GB of
// JPEG in the other formats.
[[nodiscard]] constexpr std::uint64_t imagenet_bytes(DataFormat data) {
  return data == DataFormat::lmdb ? 240'000'000'000 : 140'000'000'000;
}

// A data set as it lies on disk.
struct DataSize {
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;

  [[nodiscard]] std::uint64_t bytes_of(std::uint64_t some) const { return bytes / items * some; }
};

// Samples that a recommender is known to be trained with, all of one size; nullopt: of networks
// that read something else.
[[nodiscard]] std::optional<DataSize> usual_samples(const std::string& network);

}  // namespace rightsize
