// Emulate a recommended machine here, run the job's work on it, and hold the prediction against
// what came out. The data here are a sample: memory is limited so that the page cache holds the
// share of the sample that it would hold of the whole set.
#pragma once

#include <string>
#include <vector>

#include "advisor/candidate/candidate.h"
#include "advisor/machine/emulate.h"
#include "advisor/recommendation.h"
#include "advisor/search.h"
#include "profiler/measure/run_spec.h"

namespace rightsize {

// A part of the data set that lies here; empty for synthetic data.
struct LocalData {
  std::string path;
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;
};

struct VerificationRun {
  RunSpec spec;
  Setting setting;  // what the run is made under, as the model sees it
  double scale = 1;
  std::vector<std::string> notes;
};

// The candidate behind an option of an answer to `query`. Throws UsageError when the catalog does
// not have it (an answer of other tables).
[[nodiscard]] Candidate candidate_of(const Option& option,
                                     const Query& query,
                                     const Evidence& evidence);

// What a run that stands for the candidate is predicted by: the runs that were made here, and where
// its network is none of theirs, the law of networks on CPUs as the answer has it. The engine and
// the loader are rightsize's own, whatever program the job names.
[[nodiscard]] Model model_of_run(const Candidate& candidate,
                                 const Query& query,
                                 const Evidence& evidence);

// The run that stands for it on `here`. Throws EmulationError.
[[nodiscard]] VerificationRun verification_run(const Candidate& candidate,
                                               const Model& model,
                                               const LocalData& sample,
                                               const Machine& here);

// Which epochs are held against each other: like with like. alike: the disk is not read. first:
// the run ended before a second epoch was complete, so that nothing came from the page cache.
// later: the page cache holds what it would hold there.
enum class EpochKind { alike, first, later };

struct Verification {
  Estimate predicted;   // of the emulated run
  double measured = 0;  // items/s
  EpochKind epoch = EpochKind::alike;
  double first_epoch_s = 0;  // predicted, of the emulated run; 0 where the disk is not read
  // Predicted of the emulated run, items/s, if the stand-in for the GPU copied while it computes,
  // as a GPU does; what is predicted of it where there is no stand-in.
  double overlapped = 0;
  bool believed = false;  // the run could be trusted
  bool inside = false;
};

[[nodiscard]] Verification verification_of(const VerificationRun& run,
                                           const Candidate& candidate,
                                           const Model& model,
                                           const Record& record);

// Why the run, taken to the size of the machine, is predicted otherwise than the machine itself; ""
// where the two agree to 1 %. `answer`: items/s of `nodes` of it.
[[nodiscard]] std::string why_apart(const VerificationRun& run,
                                    const Verification& verdict,
                                    double answer,
                                    int nodes);

}  // namespace rightsize
