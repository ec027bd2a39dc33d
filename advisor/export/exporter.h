// An option as a file that another tool launches. One row per tool; every number is the option's.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "advisor/recommendation.h"

namespace rightsize {

struct Exporter {
  std::string_view name;  // "skypilot"
  std::string_view file;  // the name it usually has
  // The command that takes it, "sky launch {file}"; {command} is the variable that the user has to
  // set: of the job's program (JobProgram), or of a service what is missing (missing_variable).
  std::string_view next;
  std::string_view next_on_spot;  // of a job whose machine may be taken away
  std::string_view next_of_service;
  // Throws UsageError when the tool cannot rent this option.
  std::string (*write)(const Recommendation& answer, const Option& option);
};

[[nodiscard]] std::span<const Exporter> exporters();

// By name; throws UsageError with the nearest one.
[[nodiscard]] const Exporter& exporter_named(const std::string& name);

// One function per tool, in the file of its name.
[[nodiscard]] std::string write_skypilot(const Recommendation& answer, const Option& option);
[[nodiscard]] std::string write_kubernetes(const Recommendation& answer, const Option& option);
[[nodiscard]] std::string write_terraform(const Recommendation& answer, const Option& option);
[[nodiscard]] std::string write_slurm(const Recommendation& answer, const Option& option);

[[nodiscard]] bool rented_by_skypilot(std::string_view provider);

// "ask for --infra aws --infra gcp in place of lambda": an option of `clouds`, where the query asks
// for others; one more --infra beside theirs would leave theirs the best. Beside a machine of the
// user's own another option is named.
[[nodiscard]] std::string asked_in(std::span<const std::string_view> clouds,
                                   const Query& query,
                                   const Option& option);

// A machine cut to measure goes by the type its provider cuts it by, "custom-8-32768": the GPUs
// that stand in our name for it ("+1xT4") are attached apart. OCI's flexible shapes are called
// "VM.Standard.E4.Flex"; the size behind it ("$_2_8") is SkyPilot's, whose catalogue lists them so.
[[nodiscard]] bool is_cut_to_measure(const Option& option);
[[nodiscard]] std::string machine_type(const Option& option);

// The user's program that an artifact starts: what it does, and the variable that holds its
// command.
struct JobProgram {
  std::string_view verb;      // "train": a container's name
  std::string_view does;      // "trains"
  std::string_view variable;  // "TRAIN_COMMAND"
  std::string example;        // "python train.py"
};
[[nodiscard]] JobProgram job_program(const Query& query);

// The environment of a job: how it was sized is how it has to run. As pairs of name and value.
// Batch, length of a sequence, precision and epochs; what is trained (ADAPTER), and how the GPUs
// share it (TENSOR_PARALLEL, PIPELINE_PARALLEL, SHARD_PARAMETERS, RECOMPUTE) and the items of an
// update (DATA_PARALLEL, MICRO_BATCH, GRADIENT_ACCUMULATION, GLOBAL_BATCH) where they do. Of a job
// that makes a data set: the formats, and as many workers as the machine has vCPUs.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> job_environment(
    const Recommendation& answer, const Option& option);

// The largest minibatch that a server of the option's should take: the option's, unless the first
// request of a full one would be answered late.
[[nodiscard]] int largest_in_time(const Service& service, const Option& option);

// Tokens of a sequence that is trained or read at once; nullopt where nothing of the kind is.
[[nodiscard]] std::optional<int> sequence_length(const Query& query);

// The environment of a server: what it may take at once, how long it waits for more, and in which
// precision; of one that writes tokens how its replicas share the GPUs. As pairs of name and value.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> server_environment(
    const Recommendation& answer, const Option& option);

// Of a service, the variable that the user has to set: MODEL, the checkpoint, where the server's
// command is known, else SERVE_COMMAND.
[[nodiscard]] std::string_view missing_variable(const Recommendation& answer, const Option& option);

// The port a service is reached by, and the path that tells whether it is ready: the user's to
// change.
constexpr int service_port = 8080;
constexpr std::string_view readiness_path = "/health";

// What every artifact says of itself: the job, the estimate with its interval and tag, the price
// with its date. One line each, without control characters and without a comment sign.
[[nodiscard]] std::vector<std::string> heading_lines(const Recommendation& answer,
                                                     const Option& option);
// The same as comment lines "# ...".
[[nodiscard]] std::string heading_comment(const Recommendation& answer, const Option& option);

// Of several machines that each do a share of the work, "# The machines work apart ..." with how
// they are told which, by variables: `number`. "" of those that train together, and of one.
[[nodiscard]] std::string share_comment(const Query& query,
                                        const Option& option,
                                        std::string_view number);

// The job's name as a label: lower case letters, digits and single dashes, at most 50.
[[nodiscard]] std::string job_label(const Query& query);

// A name from a job file may hold anything; a line of a comment may not.
[[nodiscard]] std::string one_line(std::string text);

// Lines that all end with a newline, each with `by` before it.
[[nodiscard]] std::string indented(const std::string& text, const std::string& by);

// A string in double quotes that JSON and YAML read alike.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace rightsize
