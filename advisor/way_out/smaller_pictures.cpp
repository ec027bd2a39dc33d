#include "advisor/way_out/smaller_pictures.h"

#include <cmath>

#include <fmt/format.h>

#include "models/model.h"

namespace rightsize {
namespace {

// Whether pictures are read for longer than anything else takes.
bool waits_for_pictures(const Recommendation& answer) {
  const auto& query = answer.query;
  const auto limit = answer.chosen->limited_by;
  return !query.serves() && query.phase != Phase::preprocess &&
         holds_encoded_pictures(query.format) &&
         (limit == Bound::disk || limit == Bound::cpu || limit == Bound::loader);
}

}  // namespace

std::string smaller_pictures(const Evidence& evidence, const Recommendation& answer) {
  constexpr double much_larger = 4;
  constexpr double worth_saying = 0.7;
  const auto& query = answer.query;
  const double usual = evidence.model.picture_bytes;
  if (!answer.chosen || !waits_for_pictures(answer) || query.items == 0 || !(usual > 0)) {
    return "";
  }
  const auto items = static_cast<double>(query.items);
  const double each = static_cast<double>(query.dataset_bytes) / items;
  if (each < much_larger * usual) {
    return "";
  }
  Query smaller = query;
  smaller.dataset_bytes = static_cast<std::uint64_t>(std::llround(items * usual));
  SearchOptions one;
  one.max_options = 1;
  one.draws = 1;
  const auto then = search(smaller, evidence, one).chosen;
  if (!then || then->cost.value > worth_saying * answer.chosen->cost.value) {
    return "";
  }
  return fmt::format(
      "every epoch reads and decodes pictures of {:.3g} MB each: made smaller once, to some {:.0f} "
      "kB, {} x {}/{} would do the job for {:.2g} % of the cost (phase = \"preprocess\" tells what "
      "making them takes)",
      each / 1e6,
      usual / 1e3,
      then->nodes,
      then->provider,
      then->instance,
      100 * then->cost.value / answer.chosen->cost.value);
}

}  // namespace rightsize
