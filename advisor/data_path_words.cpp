#include "advisor/data_path_words.h"

#include <fmt/format.h>

#include "advisor/candidate/cpu_law.h"
#include "advisor/candidate/disk_for_job.h"
#include "advisor/candidate/own_loader.h"
#include "advisor/candidate/own_program.h"

namespace rightsize {

namespace {

// Whose vCPUs are counted.
std::vector<std::string> loader_assumptions(const Model& model, const Query& query) {
  if (query.program) {
    return {program_words(query.network, *query.program),
            query.format == DataFormat::synthetic
                ? "what it reads is not known, and no disk limits it: bytes and format under "
                  "[data] say what it reads in an epoch"
                : "in an epoch it reads the data set once; what that takes of the CPU is in its "
                  "own time"};
  }
  switch (loaded_by(query)) {
    case LoadedBy::program:
      return {loader_words(model, query.loader)};
    case LoadedBy::framework: {
      const auto stack = query.stack.value_or(Stack::current);
      return {fmt::format(
          "decoding takes {:g} times the CPU of the loader that was measured, as frameworks' own "
          "of the {} stack do; --loader {} counts that one, --loader NAME one of yours",
          loader_cost(stack),
          to_string(stack),
          measured_loader)};
    }
    case LoadedBy::rightsize:
      return {fmt::format(
          "vCPUs are counted as rightsize's own loader takes them, as measured; frameworks' own "
          "take some {:g} times as many",
          loader_cost(Stack::current))};
    case LoadedBy::nobody:
      break;
  }
  return {};
}

}  // namespace

std::vector<std::string> data_path_assumptions(const Model& model, const Query& query) {
  auto all = loader_assumptions(model, query);
  if (!query.serves() && query.shuffle && reading_of(query).in_sequence()) {
    all.emplace_back(
        "TFRecord has no index: it is read file by file, and shuffled by the files' order and in a "
        "buffer, as tf.data does");
  }
  return all;
}

}  // namespace rightsize
