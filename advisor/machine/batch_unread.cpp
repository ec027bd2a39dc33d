#include "advisor/machine/batch_unread.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "advisor/machine/batch_cell.h"
#include "advisor/query/job_keys.h"
#include "models/laws/spelling.h"

namespace rightsize {
namespace {

// What the rest of a row says of the same thing.
struct Said {
  double number = 0;
  std::string words;
};
using Elsewhere = std::optional<Said> (*)(const BatchDraft& row);

// What programs that train have for it.
struct Other {
  std::string_view heading;  // as bare() leaves it
  std::string_view instead;
  Elsewhere elsewhere;
  bool no_speaks = false;  // 0 and false are against a row that says otherwise
};

bool says_gpus(const BatchDraft& row) {
  return row.gpus || row.gpus_of_node;
}

// Of all GPUs, in an update.
std::optional<Said> global_batch(const BatchDraft& row) {
  const auto& asked = row.asked;
  if (!asked.batch) {
    return std::nullopt;
  }
  const int ranks = asked.machine.gpu.empty() ? asked.machine.nodes : asked.machine.gpus();
  const double number = 1.0 * *asked.batch * ranks * asked.accumulate;
  return Said{
      number,
      fmt::format(
          "batch {} x {} x {} accumulated is {:g}", *asked.batch, ranks, asked.accumulate, number)};
}

// Of GPUs that share a copy the batch is each one's part, and not what passes through at once.
std::optional<Said> local_batch(const BatchDraft& row) {
  if (!row.asked.batch || row.asked.gpus_per_copy() > 1) {
    return std::nullopt;
  }
  return Said{1.0 * *row.asked.batch, fmt::format("batch is {}", *row.asked.batch)};
}

std::optional<Said> gpus_of_node(const BatchDraft& row) {
  const auto& machine = row.asked.machine;
  return says_gpus(row) ? std::optional(Said{1.0 * machine.gpus_per_node,
                                             fmt::format("{} GPUs on {} node{} are {} of each",
                                                         machine.gpus(),
                                                         machine.nodes,
                                                         machine.nodes == 1 ? "" : "s",
                                                         machine.gpus_per_node)})
                        : std::nullopt;
}

std::optional<Said> all_gpus(const BatchDraft& row) {
  const int gpus = row.asked.machine.gpus();
  return says_gpus(row) ? std::optional(Said{1.0 * gpus, fmt::format("there are {} GPUs", gpus)})
                        : std::nullopt;
}

std::optional<Said> copies(const BatchDraft& row) {
  const int gpus = row.asked.machine.gpus();
  const int each = row.asked.gpus_per_copy();
  return says_gpus(row)
             ? std::optional(Said{
                   1.0 * gpus / each,
                   fmt::format("{} GPUs, {} a copy, have {:g}", gpus, each, 1.0 * gpus / each)})
             : std::nullopt;
}

std::optional<Said> tokens(const BatchDraft& row) {
  const int sequence = row.asked.sequence;
  return sequence > 0 ? std::optional(Said{1.0 * sequence, fmt::format("sequence is {}", sequence)})
                      : std::nullopt;
}

template <int stage>
std::optional<Said> sharded(const BatchDraft& row) {
  return row.asked.exchange == Exchange::sharded
             ? std::optional(Said{1.0 * stage, "exchange is sharded"})
             : std::nullopt;
}

std::optional<Said> adapter_rank(const BatchDraft& row) {
  const auto& adapters = row.asked.tuning.adapters;
  return adapters.any()
             ? std::optional(Said{1.0 * adapters.rank, "adapter is " + to_string(adapters)})
             : std::nullopt;
}

std::optional<Said> base_in_4_bits(const BatchDraft& row) {
  const auto& adapters = row.asked.tuning.adapters;
  return adapters.narrow ? std::optional(Said{1, "adapter is " + to_string(adapters)})
                         : std::nullopt;
}

std::optional<Said> nowhere(const BatchDraft& /*row*/) {
  return std::nullopt;
}

// fp8 is bf16 but for some products.
template <Precision precision>
std::optional<Said> computed_in(const BatchDraft& row) {
  return row.asked.precision == precision ||
                 (precision == Precision::bf16 && keeps_bf16(row.asked.precision))
             ? std::optional(
                   Said{1, fmt::format("precision is {}", to_string(row.asked.precision))})
             : std::nullopt;
}

constexpr std::string_view by_gpu = "say batch, of each GPU, and accumulate";
constexpr std::string_view by_node = "say gpus, of all nodes together, and nodes";
constexpr std::string_view by_stage =
    "say exchange, sharded for stage 3; stages 1 and 2, which divide state alone, are not modelled";
constexpr std::string_view by_adapter = "say adapter, such as lora:16";

constexpr std::array others{
    Other{"globalbatch", by_gpu, global_batch},
    Other{"globalbatchsize", by_gpu, global_batch},
    Other{"totalbatchsize", by_gpu, global_batch},
    Other{"effectivebatch", by_gpu, global_batch},
    Other{"effectivebatchsize", by_gpu, global_batch},
    Other{"trainbatchsize", by_gpu, global_batch},  // DeepSpeed's
    Other{"microbatch", by_gpu, local_batch},
    Other{"microbatchsize", by_gpu, local_batch},
    Other{"localbatch", by_gpu, local_batch},
    Other{"localbatchsize", by_gpu, local_batch},
    Other{"gpuspernode", by_node, gpus_of_node},
    Other{"nprocpernode", by_node, gpus_of_node},
    Other{"devicespernode", by_node, gpus_of_node},
    Other{"worldsize", "say gpus, of all nodes together", all_gpus},
    Other{"dataparallel", "say gpus, of all nodes together", copies},
    Other{"dp", "say gpus, of all nodes together", copies},
    Other{"dataparallelsize", "say gpus, of all nodes together", copies},
    Other{"maxlength", "say sequence", tokens},
    Other{"fsdp", "say exchange, sharded", sharded<1>, true},
    Other{"zero", by_stage, sharded<3>, true},
    Other{"zerostage", by_stage, sharded<3>, true},
    Other{"lorarank", by_adapter, adapter_rank, true},
    Other{"lorar", by_adapter, adapter_rank, true},
    Other{"loadin4bit", "say adapter, such as qlora:16", base_in_4_bits, true},
    Other{"loadin8bit",
          "a base in 8 bits is not modelled, one in 4 is: say adapter, qlora:16",
          nowhere},
    Other{"bf16", "say precision, bf16", computed_in<Precision::bf16>, true},
    Other{"fp16", "say precision, fp16", computed_in<Precision::fp16>, true},
    Other{"fp8", "say precision, fp8", computed_in<Precision::fp8>, true}};

// What machines are called by whoever has one name for all of theirs.
bool names_machine(std::string_view column) {
  static constexpr std::array<std::string_view, 6> names{
      "machine", "machinetype", "instance", "instancetype", "vm", "server"};
  return std::find(names.begin(), names.end(), bare(column)) != names.end();
}

// A label beside what the row says of the machine; alone it would have to be looked up.
std::string machine_mistake(std::string_view cell, const BatchDraft& row) {
  const auto& machine = row.asked.machine;
  return says_nothing(cell) || !machine.gpu.empty() || machine.vcpus
             ? ""
             : "no row reads this; say gpu and gpus of it, vcpus, memory and disk, or ask of it "
               "alone: rightsize predict --machine NAME";
}

const Other* other_of(std::string_view column) {
  const auto said = bare(column);
  const auto* const found = std::find_if(
      others.begin(), others.end(), [&](const Other& one) { return one.heading == said; });
  return found == others.end() ? nullptr : found;
}

// Of a key of a job file that rows have not: where it is asked for; "" of any other column.
std::string place_in_job(std::string_view column) {
  // What tells how much there is to do, or what somebody measured there: no rate depends on it.
  static constexpr std::array<std::string_view, 7> told{
      "epochs", "at", "items", "p99", "first_token", "token", "burst"};
  const auto said = bare(column);
  for (const auto& key : job_keys()) {
    const bool of_work = key.table == "job" || key.table == "data" || key.table == "service";
    const bool is_told = std::find(told.begin(), told.end(), key.key) != told.end();
    if (of_work && !is_told && bare(key.key) == said) {
      return fmt::format("ask for it in a job file, under [{}]{}",
                         key.table,
                         key.with.empty() ? "" : fmt::format(", with {}", key.with));
    }
  }
  return "";
}

// "stage 3" and "zero3" are 3, "full_shard auto_wrap" and "True" 1.
std::optional<double> number_in(std::string_view cell) {
  const auto word = bare(cell);
  if (word == "true" || word == "yes" || word == "on" || word.starts_with("fullshard") ||
      word == "hybrid" || word == "e4m3") {  // formats of fp8, as Megatron names them
    return 1;
  }
  if (word.starts_with("stage") || word.starts_with("zero")) {
    return cell_number(std::string_view(word).substr(word.find_last_not_of("0123456789") + 1));
  }
  return cell_number(cell);
}

std::string mistake_of(const Other& other, std::string_view cell, const BatchDraft& row) {
  const bool no = says_no(cell);
  if (says_nothing(cell) || (no && !other.no_speaks)) {
    return "";
  }
  const auto elsewhere = other.elsewhere(row);
  const auto number = no ? std::optional(0.0) : number_in(cell);
  if (elsewhere ? number == elsewhere->number : no) {
    return "";
  }
  return fmt::format("no row reads this{}; {}",
                     elsewhere ? fmt::format(", and {}", elsewhere->words) : "",
                     other.instead);
}

}  // namespace

bool is_unread(std::string_view column) {
  return names_machine(column) || other_of(column) != nullptr || !place_in_job(column).empty();
}

std::string unread_mistake(std::string_view column, std::string_view cell, const BatchDraft& row) {
  if (names_machine(column)) {
    return machine_mistake(cell, row);
  }
  if (const auto* const other = other_of(column)) {
    return mistake_of(*other, cell, row);
  }
  const auto place = place_in_job(column);
  return place.empty() || says_nothing(cell) ? "" : fmt::format("no row reads this; {}", place);
}

}  // namespace rightsize
