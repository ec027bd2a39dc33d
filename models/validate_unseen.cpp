// Runs predicted by models that have not seen them, part by part.
#include <map>
#include <utility>

#include <fmt/format.h>

#include "models/simulate/random.h"
#include "models/validate.h"

namespace rightsize {
namespace {

// Each part predicted by a model of the others; `part_of` goes with the records.
Validation validate_in_parts(std::span<const Record> records,
                             std::span<const std::size_t> part_of,
                             std::size_t parts,
                             const FitOptions& options) {
  Validation all;
  for (std::size_t part = 0; part < parts; ++part) {
    std::vector<Record> marked(records.begin(), records.end());
    for (std::size_t i = 0; i < marked.size(); ++i) {
      marked[i].hold_out = part_of[i] == part;
    }
    auto found = validate_held_out(fit(marked, options).model, marked);
    all.rows.insert(all.rows.end(), found.rows.begin(), found.rows.end());
    all.unpredicted.insert(
        all.unpredicted.end(), found.unpredicted.begin(), found.unpredicted.end());
  }
  summarise(all);
  return all;
}

// 0 to count - 1 in an order that is drawn (Durstenfeld, "Algorithm 235: Random permutation", 1964)
// and the same each time.
std::vector<std::size_t> drawn_order(std::size_t count) {
  constexpr std::uint64_t seed = 1;
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) {
    order[i] = i;
  }
  simulate::Random random(seed);
  for (std::size_t left = count; left > 1; --left) {
    std::swap(order[left - 1], order[(random.next() >> 32) * left >> 32]);
  }
  return order;
}

double value_of(const Record& record, GridLimit limit) {
  switch (limit) {
    case GridLimit::cpus:
      return record.limits.cpus;
    case GridLimit::memory:
      return static_cast<double>(record.limits.memory_bytes);
    case GridLimit::disk_read:
      return record.limits.disk_read_bytes_per_s;
  }
  return 0;
}

// Those of the records numbered by what `key_of` makes of them, from 0 in the order they come; of
// records that nobody can use, one number that is no part.
template <typename Key, typename KeyOf>
std::pair<std::vector<std::size_t>, std::size_t> numbered(std::span<const Record> records,
                                                          KeyOf key_of) {
  std::map<Key, std::size_t> number;
  std::vector<std::size_t> of_record;
  for (const auto& record : records) {
    of_record.push_back(is_usable(record)
                            ? number.try_emplace(key_of(record), number.size()).first->second
                            : records.size());
  }
  return {of_record, number.size()};
}

}  // namespace

Validation validate_by_folds(std::span<const Record> records,
                             int folds,
                             const FitOptions& options) {
  auto [part_of, cells] = numbered<std::string>(
      records, [](const Record& record) { return record.campaign + "/" + record.name; });
  if (folds < 2 || cells < static_cast<std::size_t>(folds)) {
    throw ModelError(
        fmt::format("{} folds of {} cells of runs: expected at least 2 folds, with a cell in each",
                    folds,
                    cells));
  }
  const auto order = drawn_order(cells);
  const auto parts = static_cast<std::size_t>(folds);
  for (auto& part : part_of) {
    part = part < cells ? order[part] % parts : parts;
  }
  return validate_in_parts(records, part_of, parts, options);
}

Validation validate_by_values(std::span<const Record> records,
                              GridLimit limit,
                              const FitOptions& options) {
  const auto [part_of, values] =
      numbered<double>(records, [&](const Record& record) { return value_of(record, limit); });
  if (values < 2) {
    throw ModelError("all usable runs have the same value of that limit: nothing is left to fit");
  }
  return validate_in_parts(records, part_of, values, options);
}

}  // namespace rightsize
