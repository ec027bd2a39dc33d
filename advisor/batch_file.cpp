#include "advisor/batch_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "advisor/query.h"
#include "advisor/software_words.h"
#include "advisor/spreadsheet_text.h"
#include "advisor/toml_fields.h"
#include "advisor/words.h"
#include "pricing/import/csv.h"
#include "pricing/money.h"

namespace rightsize {
namespace {

// What a row says before it is put together: gpus counts all nodes.
struct Draft {
  Configuration asked;
  std::optional<int> gpus;
};

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// A whole number in low..high, "4" or "4.0"; false when it is none.
template <typename Store>
bool read_count(std::string_view text, double low, double high, Store store) {
  const auto value = number(text);
  if (!value || *value < low || *value > high || *value != std::floor(*value)) {
    return false;
  }
  store(static_cast<int>(*value));
  return true;
}

template <typename Value, typename Slot>
bool store_if(const std::optional<Value>& value, Slot& slot) {
  if (value) {
    slot = *value;
  }
  return value.has_value();
}

bool read_positive(std::string_view text, std::optional<double>& slot) {
  const auto value = number(text);
  return value && *value > 0 && *value <= 1e6 && store_if(value, slot);
}

struct Column {
  std::array<std::string_view, 4> names;  // the first is the documented one
  std::string_view expected;
  std::string_view blank;  // what an empty cell means
  bool (*read)(std::string_view text, Draft& draft);
};

constexpr std::array columns{
    Column{{"network", "workload", "model", "net"},
           "a network such as ResNet-50",
           "resnet50",
           [](std::string_view text, Draft& draft) {
             draft.asked.network = network_meant(text);
             return true;
           }},
    Column{{"phase", "mode", "", ""},
           "train or infer",
           "train",
           [](std::string_view text, Draft& draft) {
             return store_if(phase_meant(text), draft.asked.phase);
           }},
    Column{{"precision", "dtype", "", ""},
           "fp32, tf32, fp16 (mixed, AMP) or bf16",
           "fp32",
           [](std::string_view text, Draft& draft) {
             return store_if(precision_meant(text), draft.asked.precision);
           }},
    Column{{"batch", "batch_per_gpu", "batch_size", ""},
           "a whole number of items per GPU, from 1 to 1048576",
           "the largest power of two up to 128 that fits; 32 on a CPU",
           [](std::string_view text, Draft& draft) {
             return read_count(text, 1, 1 << 20, [&](int value) { draft.asked.batch = value; });
           }},
    Column{{"gpu", "accelerator", "", ""},
           "a GPU, or none",
           "none: the CPU computes",
           [](std::string_view text, Draft& draft) {
             draft.asked.machine.gpu = means_no_gpu(text) ? "" : canonical_gpu_name(text);
             return true;
           }},
    Column{{"gpus", "gpu_count", "num_gpus", ""},
           "the number of GPUs of all nodes together",
           "one a node",
           [](std::string_view text, Draft& draft) {
             return read_count(text, 0, 1'000'000, [&](int value) { draft.gpus = value; });
           }},
    Column{{"nodes", "machines", "", ""},
           "a whole number of machines from 1 to 100000",
           "1",
           [](std::string_view text, Draft& draft) {
             return read_count(
                 text, 1, 100'000, [&](int value) { draft.asked.machine.nodes = value; });
           }},
    Column{{"interconnect", "link", "network_link", ""},
           "links such as \"NVLink; 25GbE\" or \"PCIe 3.0 x16\"",
           "NVLink where the GPU has it, else PCIe; InfiniBand between nodes",
           [](std::string_view text, Draft& draft) {
             // Words such as "consolidated" say nothing about links: then the usual ones are meant.
             draft.asked.machine.interconnect =
                 parse_interconnect(text).value_or(InterconnectWords{});
             return true;
           }},
    Column{{"vcpus", "cpus", "vcpu", ""},
           "vCPUs of one node",
           "enough not to limit a GPU; a CPU machine needs them",
           [](std::string_view text, Draft& draft) {
             return read_positive(text, draft.asked.machine.vcpus);
           }},
    Column{{"memory_gib", "mem_gib", "memory", "mem_gb"},
           "GiB of one node's memory",
           "enough to run, none to cache",
           [](std::string_view text, Draft& draft) {
             return read_positive(text, draft.asked.machine.memory_gib);
           }},
    Column{{"disk", "storage", "", ""},
           "a rate or a class, such as 80MB/s, nvme or gp3:500GiB",
           "fast enough",
           [](std::string_view text, Draft& draft) {
             draft.asked.machine.disk = std::string(text);
             return true;
           }},
    Column{{"data", "data_format", "", ""},
           "synthetic, real, jpeg, recordio, lmdb or tfrecord",
           "synthetic",
           [](std::string_view text, Draft& draft) {
             return store_if(data_meant(text), draft.asked.data);
           }},
    Column{{"stack", "software", "framework", ""},
           "era (2015-2018) or current, or a year; PyTorch, TensorFlow, MXNet, ...",
           "any framework's, the best evidence there is",
           [](std::string_view text, Draft& draft) {
             const auto software = software_meant(text);
             if (software) {
               draft.asked.stack = software->stack;
               draft.asked.framework = software->framework;
             }
             return software.has_value();
           }},
    Column{{"cpu", "cpu_model", "instance", ""},
           "a CPU's name or an EC2 type",
           "the usual host",
           [](std::string_view text, Draft& draft) {
             draft.asked.machine.cpu = std::string(text);
             return true;
           }},
    Column{{"sequence", "seq_len", "sequence_length", ""},
           "tokens per item; 0 as blank",
           "the network's own",
           [](std::string_view text, Draft& draft) {
             return read_count(text, 0, 1 << 24, [&](int value) { draft.asked.sequence = value; });
           }},
    Column{{"exchange", "kvstore", "", ""},
           "local, device or nccl",
           "the fastest here",
           [](std::string_view text, Draft& draft) {
             draft.asked.parameter_server = bare(text).starts_with("dist");
             const auto word = bare(text);
             const auto exchange = word.find("device") != std::string::npos
                                       ? parse_exchange("device")
                                       : parse_exchange(word == "dist" ? "local" : word);
             return store_if(exchange, draft.asked.exchange);
           }},
    Column{{"compression", "", "", ""},
           "none or 2bit",
           "none",
           [](std::string_view text, Draft& draft) {
             return store_if(parse_compression(text), draft.asked.compression);
           }},
};

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  return begin == std::string_view::npos
             ? ""
             : std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

// Index of the CSV column for each of ours, -1 where the file has none.
std::vector<int> find_columns(const CsvTable& table, const std::string& file) {
  std::vector<int> found;
  bool any = false;
  for (const auto& column : columns) {
    int index = -1;
    for (const auto name : column.names) {
      index = index < 0 && !name.empty() ? table.column(name) : index;
    }
    found.push_back(index);
    any = any || (index >= 0 && &column == &columns[0]);
  }
  if (!any) {
    std::vector<std::string> known;
    for (const auto& column : columns) {
      known.emplace_back(column.names[0]);
    }
    const auto first = table.header.empty() ? "" : table.header[0];
    const auto near = nearest_word(first, known);
    throw UsageError(
        fmt::format("{}:1:1: no column \"network\"{}; the columns are listed by rightsize predict "
                    "--help",
                    file,
                    near.empty() || near == first ? "" : fmt::format(" (\"{}\"?)", first)));
  }
  return found;
}

// GPUs of all nodes, shared evenly.
std::string share_gpus(Draft& draft) {
  auto& machine = draft.asked.machine;
  if (draft.gpus == 0 || machine.gpu.empty()) {
    if (draft.gpus.value_or(0) > 0 && machine.gpu.empty()) {
      return fmt::format("gpus = {} but no gpu is named", *draft.gpus);
    }
    machine.gpu.clear();
    return "";
  }
  const int gpus = draft.gpus.value_or(machine.nodes);
  if (gpus % machine.nodes != 0) {
    return fmt::format(
        "gpus = {}: the GPUs of all nodes together cannot be shared evenly by {} "
        "nodes",
        gpus,
        machine.nodes);
  }
  machine.gpus_per_node = gpus / machine.nodes;
  return "";
}

BatchRow read_row(const CsvTable::Row& row,
                  const std::vector<int>& found,
                  std::size_t width,
                  const std::string& file) {
  BatchRow result;
  result.line = row.line;
  result.cells = row.fields;
  result.cells.resize(width);
  if (row.fields.size() != width) {
    result.mistake = fmt::format("{}:{}: {} field{}, the header has {}",
                                 file,
                                 row.line,
                                 row.fields.size(),
                                 row.fields.size() == 1 ? "" : "s",
                                 width);
    return result;
  }
  Draft draft;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto text = found[i] < 0 ? "" : trimmed(row.fields[static_cast<std::size_t>(found[i])]);
    if (!text.empty() && !columns[i].read(text, draft)) {
      result.mistake = fmt::format("{}:{}:{}: {} = \"{}\": expected {}",
                                   file,
                                   row.line,
                                   found[i] + 1,
                                   columns[i].names[0],
                                   text,
                                   columns[i].expected);
      return result;
    }
  }
  const auto mistake = share_gpus(draft);
  if (!mistake.empty()) {
    result.mistake = fmt::format("{}:{}: {}", file, row.line, mistake);
  }
  draft.asked.bytes = imagenet_bytes(draft.asked.data);
  draft.asked.shuffle = draft.asked.data != DataFormat::lmdb;  // read in order, as Caffe does
  result.asked = draft.asked;
  return result;
}

}  // namespace

BatchFile parse_batch_file(std::string_view text, const std::string& file) {
  BatchFile batch;
  const auto last = text.find_last_not_of(" \t\r\n");  // empty lines at the end are no rows
  text = text.substr(0, last == std::string_view::npos ? 0 : last + 1);
  try {
    std::istringstream in(as_commas(text));
    CsvStream rows(in, file);
    CsvTable::Row row;
    if (!rows.next(row)) {
      throw UsageError(fmt::format("{}: the file is empty, expected a header line", file));
    }
    CsvTable table;
    for (const auto& name : row.fields) {
      table.header.push_back(trimmed(name));
    }
    const auto found = find_columns(table, file);
    batch.header = table.header;
    const auto width = table.header.size();
    // After a quote that is never closed nobody knows where rows end; other mistakes spoil theirs.
    const bool closed = std::count(text.begin(), text.end(), '"') % 2 == 0;
    for (bool more = true; more;) {
      try {
        more = rows.next(row);
        if (more) {
          batch.rows.push_back(read_row(row, found, width, file));
        }
      } catch (const PricingError& error) {
        if (!closed) {
          throw;
        }
        batch.rows.push_back({row.line, {}, error.what(), std::vector<std::string>(width)});
      }
    }
  } catch (const PricingError& error) {
    throw UsageError(error.what());
  }
  return batch;
}

std::string batch_columns_help() {
  std::string text;
  for (const auto& column : columns) {
    text += fmt::format(
        "  {:<13} {}\n{:16}blank: {}\n", column.names[0], column.expected, "", column.blank);
  }
  return text;
}

}  // namespace rightsize
