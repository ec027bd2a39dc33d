// A SkyPilot task: https://docs.skypilot.co/en/latest/reference/yaml-spec.html. Its GB are 2^30
// bytes.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/export/disk_tier.h"
#include "advisor/export/exporter.h"
#include "advisor/export/machine_network.h"
#include "advisor/export/rocm.h"
#include "advisor/export/server_script.h"
#include "advisor/export/tpu_slice.h"
#include "advisor/export/weights_disk.h"
#include "models/laws/gpu_name.h"

namespace rightsize {
namespace {

// The clouds whose catalogue SkyPilot keeps, of those in our tables.
constexpr std::array<std::string_view, 11> clouds{"aws",
                                                  "azure",
                                                  "cudo",
                                                  "fluidstack",
                                                  "gcp",
                                                  "hyperstack",
                                                  "lambda",
                                                  "nebius",
                                                  "oci",
                                                  "runpod",
                                                  "verda"};

// SkyPilot's one disk is the boot disk: beside the data it holds the system, the GPU's driver, CUDA
// and a framework, for which images for deep learning ask 50 to 75 GiB [assumed].
constexpr std::int64_t boot_gib = 80;

// A tier has its own IOPS and MB/s: what was bought apart cannot be said.
std::string bought_line(const Option& option) {
  if (option.disk_iops == 0 && option.disk_mbps == 0) {
    return "";
  }
  return fmt::format(
      "  # the price counts {}; a tier has speeds of its own: set these on the "
      "volume\n",
      option.disk);
}

// What the bill asks for a disk, "0.080 USD per GiB-month"; "" where it has none.
std::string disk_price(const Option& option) {
  for (const auto& line : option.bill.lines) {
    if (line.kind == BillLine::Kind::disk) {
      return fmt::format(
          ", {} {} {}", line.unit_price.decimal(), line.unit_price.currency(), line.unit);
    }
  }
  return "";
}

std::string disk_lines(const Recommendation& answer, const Option& option) {
  if (const auto gib = weights_disk_gib(answer, option); gib > 0) {
    return fmt::format(
        "  disk_size: {}  # GiB: the weights and 20 more, and {} for the system; the price has no "
        "disk in it\n",
        gib + boot_gib,
        boot_gib);
  }
  if (option.disk_gib == 0) {
    return fmt::format("  # disk: {}\n", option.disk);
  }
  const bool listed = option.disk_source != Source::assumed;
  return fmt::format(
      "  disk_size: {}  # GiB: it is the boot disk too; the {} for the system are not in the "
      "bill{}\n{}",
      option.disk_gib + boot_gib,
      boot_gib,
      disk_price(option),
      listed ? disk_tier_line(option) + bought_line(option)
             : fmt::format("  # disk_tier: left to SkyPilot; {:.0f} MB/s were assumed\n",
                           option.disk_bytes_per_s / 1e6));
}

std::string network_line(const Query& query, const Option& option) {
  return !counts_on_fabric(query, option) ? ""
         : set_up_by_skypilot(query, option)
             ? fmt::format("  network_tier: best  # {}\n", fabric_words(query, option))
             : fmt::format("  # {}, which SkyPilot does not set up there: do so yourself\n",
                           fabric_words(query, option));
}

// Nothing for less than one of it, which is no request that SkyPilot takes.
std::string at_least(const char* what, double amount, const char* unit) {
  const double whole = std::floor(amount);
  return whole < 1 ? "" : fmt::format("  {}: {:g}+{}\n", what, whole, unit);
}

std::string resources(const Recommendation& answer, const Option& option) {
  std::string out = fmt::format(
      "resources:\n  infra: {}\n",
      in_quotes(option.region.empty() ? option.provider : option.provider + "/" + option.region));
  if (has_tpus(option)) {  // whose host is not asked for: its catalogue says nothing of it
    return out +
           fmt::format("  accelerators: {}  # the slice of a {}\n",
                       in_quotes(tpu_slice(option) + ":1"),
                       option.instance) +
           disk_lines(answer, option) +
           fmt::format("  use_spot: {}\n", option.market == Market::spot ? "true" : "false");
  }
  out += is_cut_to_measure(option)
             ? fmt::format(
                   "  # instance_type: SkyPilot's catalogue has no {}, which is cut to measure:\n"
                   "  # it takes the cheapest listed type that holds what stands below.\n",
                   machine_type(option))
             : fmt::format("  instance_type: {}\n", in_quotes(option.instance));
  if (!option.gpu.empty()) {
    // A listed type has its GPUs; named beside it they must be as its catalogue calls them, and
    // ours calls some otherwise (RTX-PRO-6000).
    const auto gpus = fmt::format("{}:{:g}", option.gpu, option.gpus);
    out += is_cut_to_measure(option)
               ? fmt::format("  accelerators: {}\n", in_quotes(gpus))
               : fmt::format("  # accelerators: what the instance type has, {}\n", gpus);
  }
  return out + at_least("cpus", option.vcpus, "") +
         at_least("memory", option.memory_gib, "  # GiB") + disk_lines(answer, option) +
         network_line(answer.query, option) +
         fmt::format("  use_spot: {}\n", option.market == Market::spot ? "true" : "false");
}

std::string environment_lines(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::string out;
  for (const auto& [name, value] : pairs) {
    out += fmt::format("  {}: {}\n", name, in_quotes(value));
  }
  return out;
}

// What follows the resources: `variable` holds the command.
std::string program(std::string_view variable,
                    const std::string& hint,
                    const std::string& environment,
                    std::string_view setup,
                    const std::string& before = "") {
  return fmt::format(
      "\nenvs:\n"
      "  {0}:  # required: {1}\n"
      "{2}"
      "\nsetup: |\n"
      "  # REPLACE: {3}\n"
      "  true\n"
      "\nrun: |\n"
      "{4}"
      "  bash -c \"${0}\"\n",
      variable,
      hint,
      environment,
      setup,
      before);
}

// rocm.docs.amd.com, "Running ROCm Docker containers";
// docs.skypilot.co/en/latest/reference/config.html.
constexpr std::string_view rocm_devices =
    "  # AMD's GPUs: by docker: {run_options: [--device=/dev/kfd, --device=/dev/dri]} of\n"
    "  # ~/.sky/config.yaml the image sees them\n";

// In the image that its makers publish, which SkyPilot runs all of the task in:
// https://docs.skypilot.co/en/latest/examples/docker-containers.html. A service asks one port of a
// machine.
std::string known_server(const ServerCommand& command, const Option& option) {
  const auto& server = option.tokens->server;
  return fmt::format(
             "{}{}"
             "  image_id: docker:{}  # pin the release that you try it with\n"
             "  ports: {}\n"
             "\nenvs:\n"
             "  # {}\n"
             "  MODEL:  # required: sky serve up --env MODEL=... (--secret HF_TOKEN where it is "
             "gated)\n"
             "{}"
             "\nrun: |\n"
             "  source deactivate 2>/dev/null || true  # SkyPilot's Python is not the image's\n",
             option.provider == "runpod"
                 ? "  # RunPod runs no image that has an entry of its own: make one without of it\n"
                 : "",
             runs_rocm(option.gpu) ? rocm_devices : "",
             command.image,
             command.port,
             command.checkpoint,
             server.replicas > 1 ? fmt::format("\nsetup: |\n  {}", install_balancer) : "") +
         indented(machine_script(command, server), "  ");
}

// https://docs.skypilot.co/en/latest/serving/service-yaml-spec.html: one replica a machine.
std::string service_task(const Recommendation& answer, const Option& option) {
  const auto command = server_command(answer, option);
  const auto head = fmt::format(
      "name: {}\n\n"
      "service:\n"
      "  readiness_probe: {}{}\n"
      "  replicas: {}\n\n",
      job_label(answer.query),
      readiness_path,
      command ? "" : "  # REPLACE: a path that answers 200 once the server is ready",
      option.nodes);
  if (command) {
    return head + resources(answer, option) + known_server(*command, option);
  }
  return head + resources(answer, option) + fmt::format("  ports: {}\n", service_port) +
         program("SERVE_COMMAND",
                 "sky serve up --env SERVE_COMMAND='python serve.py'",
                 environment_lines(server_environment(answer, option)),
                 "install the server and bring its model here.",
                 option.tokens ? indented(skeleton_comment(answer.query, option), "  ") : "");
}

// What machines have to know of each other, by SkyPilot's own variables.
std::string before_program(const Query& query, const Option& option) {
  if (option.nodes == 1) {
    return "";
  }
  return indented(share_comment(query, option, "NODES and NODE_RANK"), "  ") +
         "  export NODES=$SKYPILOT_NUM_NODES NODE_RANK=$SKYPILOT_NODE_RANK\n"
         "  export MASTER_ADDR=$(echo \"$SKYPILOT_NODE_IPS\" | head -n 1)\n";
}

// docs.skypilot.co/en/latest/examples/managed-jobs.html.
constexpr std::string_view managed_job =
    "# As a managed job it is started again, on another machine, when a spot machine is taken "
    "away.\n"
    "# Checkpoints have to lie elsewhere than on its disk: mount a bucket (file_mounts).\n";

std::string job_task(const Recommendation& answer, const Option& option) {
  const auto job = job_program(answer.query);
  const bool spot = option.market == Market::spot;
  return fmt::format("{}name: {}\nnum_nodes: {}\n\n",
                     spot ? managed_job : "",
                     job_label(answer.query),
                     option.nodes) +
         resources(answer, option) +
         program(job.variable,
                 fmt::format(
                     "sky {}launch --env {}='{}'", spot ? "jobs " : "", job.variable, job.example),
                 environment_lines(job_environment(answer, option)),
                 "install what the job needs and bring its data here.",
                 before_program(answer.query, option));
}

}  // namespace

bool rented_by_skypilot(std::string_view provider) {
  return std::find(clouds.begin(), clouds.end(), provider) != clouds.end();
}

std::string write_skypilot(const Recommendation& answer, const Option& option) {
  if (!rented_by_skypilot(option.provider)) {
    throw UsageError(
        fmt::format("SkyPilot does not rent from {}: export with --to terraform, or {}",
                    option.provider,
                    asked_in(clouds, answer.query, option)));
  }
  return heading_comment(answer, option) +
         (answer.query.serves() ? service_task(answer, option) : job_task(answer, option));
}

}  // namespace rightsize
