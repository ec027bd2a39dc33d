// A Pod that has the node to itself: it requests all that the node gives away (node_allocatable).
// Of memory and GPUs that is the limit too; the vCPUs have none, for the estimate counts all of the
// machine's, and a limit at the request would take away those that the node's own agents leave
// idle. Several machines are an indexed Job of as many such Pods, and a spot machine is a Job of
// one; a service is a Deployment of them, one a machine, behind a Service. Where the command of a
// language model's server is known the replicas of a machine are Pods that share the node: each has
// GPUs of its own, and the Service spreads the sequences over all of them.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "advisor/export/data_volume.h"
#include "advisor/export/exporter.h"
#include "advisor/export/machine_network.h"
#include "advisor/export/node_allocatable.h"
#include "advisor/export/node_choice.h"
#include "advisor/export/rocm.h"
#include "advisor/export/server_script.h"

namespace rightsize {
namespace {

// Those of our tables that rent machines or containers of their own making, to which a cluster's
// control plane is not sold (as far as we know). Whoever sells by a table of their own may.
constexpr std::array without_clusters{
    "cudo", "fluidstack", "lambda", "runpod", "tensordock", "vast", "verda"};

constexpr std::array<std::string_view, 5> with_clusters{"aws", "azure", "gcp", "nebius", "oci"};

void refuse_without_clusters(const Query& query, const Option& option) {
  if (std::find(without_clusters.begin(), without_clusters.end(), option.provider) !=
      without_clusters.end()) {
    throw UsageError(fmt::format(
        "{} sells no nodes of Kubernetes clusters: export with --to {}, or {}",
        option.provider,
        rented_by_skypilot(option.provider) ? "skypilot, which rents there" : "terraform",
        asked_in(with_clusters, query, option)));
  }
}

// How many Pods share a node.
int pods_each(const Recommendation& answer, const Option& option) {
  return server_command(answer, option) ? option.tokens->server.replicas : 1;
}

// What a Pod asks for beside the node's usual to reach those of other machines.
std::string network_amounts(int efa_interfaces) {
  return efa_interfaces == 0
             ? ""
             : fmt::format(
                   "          hugepages-2Mi: {}Mi  # EFA's, which its driver sets aside\n"
                   "          vpc.amazonaws.com/efa: {}  # all of the machine's\n",
                   efa_pages_asked_mib,
                   efa_interfaces);
}

std::string amounts(const Query& query, const Option& option, int pods) {
  // A replica's GPUs need not divide the node's.
  const double gpus = pods > 1 ? option.tokens->server.gpus_each() : option.gpus;
  const int interfaces = efa_interfaces(query, option);
  const int mib = allocatable_mib(option) - (interfaces > 0 ? efa_pages_mib : 0);
  const auto limits = fmt::format(
      "          memory: {}Mi\n{}{}",
      mib / pods,
      option.gpu.empty() ? "" : fmt::format("          {}: {:g}\n", gpu_resource(option.gpu), gpus),
      network_amounts(interfaces));
  return fmt::format(
      "      resources:\n        requests:\n          cpu: \"{}m\"\n{}        limits:  # none of "
      "cpu: what the node's agents leave idle is the job's\n{}",
      allocatable_millicpus(option) / pods,
      limits,
      limits);
}

std::string environment_lines(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::string out = "      env:\n";
  for (const auto& [name, value] : pairs) {
    out += fmt::format("        - {{name: {}, value: {}}}\n", name, in_quotes(value));
  }
  return out;
}

std::string worker(const Recommendation& answer, const Option& option) {
  const auto program = job_program(answer.query);
  auto environment = job_environment(answer, option);
  if (option.nodes > 1) {
    const auto name = job_label(answer.query);
    environment.emplace_back("NODES", std::to_string(option.nodes));
    environment.emplace_back("MASTER_ADDR", fmt::format("{0}-0.{0}", name));
  }
  return fmt::format(
             "    - name: {0}\n"
             "      image: REPLACE-ME  # the image that holds the program that {1}\n"
             "      command: [bash, -c]\n"
             "      args: [\"echo 'REPLACE: the command that {1}, such as {2}' >&2; exit 1\"]\n",
             program.verb,
             program.does,
             program.example) +
         environment_lines(environment);
}

std::string known_server(const ServerCommand& command) {
  return fmt::format(
             "    - name: serve\n"
             "      image: {}  # pin the release that you try it with\n"
             "      command: [bash, -c]\n"
             "      args:\n"
             "        - |\n",
             command.image) +
         indented(replica_script(command), "          ") +
         fmt::format(
             "      ports: [{{containerPort: {0}}}]\n"
             "      readinessProbe:\n"
             "        httpGet: {{path: {1}, port: {0}}}\n"
             "      env:  # and HF_TOKEN of a Secret where the checkpoint is gated\n"
             "        # REPLACE: {2}\n"
             "        - {{name: MODEL, value: REPLACE-ME}}\n"
             "        - {{name: {3}, value: /data}}  # what it fetches lies on the volume\n",
             command.port,
             readiness_path,
             command.checkpoint,
             command.folder);
}

std::string server(const Recommendation& answer, const Option& option) {
  if (const auto command = server_command(answer, option)) {
    return known_server(*command);
  }
  std::string out = fmt::format(
      "    - name: serve\n"
      "      image: REPLACE-ME  # the image that holds your server\n"
      "{}"
      "      command: [bash, -c]\n"
      "      args: [\"echo 'REPLACE: the server, one process for each {}' >&2; exit 1\"]\n"
      "      ports: [{{containerPort: {}}}]\n"
      "      readinessProbe:  # REPLACE if your server tells otherwise that it is ready\n"
      "        httpGet: {{path: {}, port: {}}}\n",
      option.tokens ? indented(skeleton_comment(answer.query, option), "      ") : "",
      option.tokens ? "replica of TENSOR_PARALLEL GPUs" : "GPU",
      service_port,
      readiness_path,
      service_port);
  return out + environment_lines(server_environment(answer, option));
}

std::string container(const Recommendation& answer, const Option& option) {
  return "  containers:\n" +
         (answer.query.serves() ? server(answer, option) : worker(answer, option)) +
         amounts(answer.query, option, pods_each(answer, option)) +
         "      volumeMounts:\n"
         "        - {name: data, mountPath: /data}\n"
         "        - {name: shm, mountPath: /dev/shm}\n";
}

// Of a Pod, indented by two.
std::string pod_spec(const Recommendation& answer, const Option& option) {
  return node_selector(option) + tolerations(option) + container(answer, option) + "  volumes:\n" +
         data_volume(answer, option) +
         "    - name: shm  # what loaders hand batches over in\n"
         "      emptyDir: {medium: Memory}\n";
}

std::string deployment(const Recommendation& answer, const Option& option) {
  const auto name = job_label(answer.query);
  const auto command = server_command(answer, option);
  const int pods = pods_each(answer, option);
  return fmt::format(
             "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {0}\n"
             "spec:\n  replicas: {1}  # {2} a machine\n"
             "  selector:\n    matchLabels: {{app: {0}}}\n"
             "  template:\n    metadata:\n      labels: {{app: {0}}}\n    spec:\n"
             "{3}",
             name,
             option.nodes * pods,
             pods == 1 ? "one" : std::to_string(pods),
             // A Service called vllm would set VLLM_PORT, which vLLM takes for its own.
             command ? "      enableServiceLinks: false\n" : "") +
         indented(pod_spec(answer, option), "    ") +
         fmt::format(
             "---\napiVersion: v1\nkind: Service\nmetadata:\n  name: {0}\n"
             "spec:\n  selector: {{app: {0}}}\n  ports: [{{port: 80, targetPort: {1}}}]\n",
             name,
             command ? command->port : service_port);
}

// A Pod that is gone with its machine comes again, on another; by itself it would not.
// kubernetes.io/docs/concepts/workloads/controllers/job, "Pod failure policy": an interruption
// counts as no failure. Machines that train together fail when one of them is taken away: the limit
// lets them, three standard deviations more often than the mean.
std::string after_interruptions(const Option& option) {
  if (option.market != Market::spot) {
    return "";
  }
  constexpr int usual_limit = 6;
  const double mean = option.spot ? option.spot->interruptions : 0;
  const int taken_away = static_cast<int>(std::ceil(mean + 3 * std::sqrt(mean)));
  return fmt::format(
      "  backoffLimit: {}\n"
      "  podFailurePolicy:\n"
      "    rules:\n"
      "      - action: Ignore  # a spot machine that is taken away: the Pod comes again\n"
      "        onPodConditions: [{{type: DisruptionTarget}}]\n",
      usual_limit + (option.nodes - 1) * taken_away);
}

// Every Pod of an indexed Job is told its number (JOB_COMPLETION_INDEX) and, by the headless
// Service, the name of the first: what torchrun and MPI want to know.
std::string job_of_several(const Recommendation& answer, const Option& option) {
  const auto name = job_label(answer.query);
  return fmt::format(
             "apiVersion: v1\nkind: Service\nmetadata:\n  name: {0}\n"
             "spec:\n  clusterIP: None\n  selector: {{app: {0}}}\n"
             "---\n"
             "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: {0}\n"
             "spec:\n  completionMode: Indexed\n  completions: {1}  # one a machine\n"
             "  parallelism: {1}\n{2}"
             "  template:\n    metadata:\n      labels: {{app: {0}}}\n    spec:\n"
             "      subdomain: {0}\n      restartPolicy: Never\n",
             name,
             option.nodes,
             after_interruptions(option)) +
         indented(pod_spec(answer, option), "    ");
}

std::string spot_job(const Recommendation& answer, const Option& option) {
  return fmt::format(
             "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: {}\n"
             "spec:\n{}"
             "  template:\n    spec:\n      restartPolicy: Never\n",
             job_label(answer.query),
             after_interruptions(option)) +
         indented(pod_spec(answer, option), "    ");
}

std::string network_comment(const Query& query, const Option& option) {
  return counts_on_fabric(query, option) ? fmt::format("# {}, which needs {}.\n",
                                                       fabric_words(query, option),
                                                       fabric_of_pods(query, option))
                                         : "";
}

// What the user has to know of the machines of a job.
std::string job_comment(const Query& query, const Option& option) {
  return share_comment(query, option, "NODES and JOB_COMPLETION_INDEX") +
         (option.market == Market::spot
              ? "# Checkpoints have to lie elsewhere than on /data, which goes with its Pod.\n"
              : "");
}

std::string pod(const Recommendation& answer, const Option& option) {
  return fmt::format(
             "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {}\n"
             "spec:\n  restartPolicy: Never\n",
             job_label(answer.query)) +
         pod_spec(answer, option);
}

std::string job(const Recommendation& answer, const Option& option) {
  return job_comment(answer.query, option) + (option.nodes > 1 ? job_of_several(answer, option)
                                              : option.market == Market::spot
                                                  ? spot_job(answer, option)
                                                  : pod(answer, option));
}

}  // namespace

std::string write_kubernetes(const Recommendation& answer, const Option& option) {
  refuse_without_clusters(answer.query, option);
  if (allocatable_millicpus(option) <= 0 || allocatable_mib(option) <= 0) {
    throw UsageError(option.instance +
                     " is too small for a Kubernetes node: the node itself would take all of it");
  }
  return heading_comment(answer, option) +
         fmt::format(
             "# {:g} vCPUs and {:g} GiB less what the kernel and the node keep, and 0.25 vCPUs "
             "and\n"
             "# 0.5 GiB for its agents [assumed].\n",
             option.vcpus,
             option.memory_gib) +
         network_comment(answer.query, option) +
         (answer.query.serves() ? deployment(answer, option) : job(answer, option));
}

}  // namespace rightsize
