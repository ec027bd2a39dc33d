#include "advisor/machine/batch_unread.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "advisor/query/job_keys.h"
#include "models/laws/spelling.h"

namespace rightsize {

namespace {

// What programs that train have for it.
struct Other {
  std::string_view heading;  // as bare() leaves it
  std::string_view instead;
};

constexpr std::string_view by_gpu = "say batch, of each GPU, and accumulate";

constexpr std::array others{Other{"globalbatch", by_gpu},
                            Other{"globalbatchsize", by_gpu},
                            Other{"totalbatchsize", by_gpu},
                            Other{"effectivebatch", by_gpu},
                            Other{"effectivebatchsize", by_gpu},
                            Other{"microbatch", by_gpu},
                            Other{"microbatchsize", by_gpu},
                            Other{"localbatch", by_gpu},
                            Other{"localbatchsize", by_gpu},
                            Other{"gpuspernode", "say gpus, of all nodes together, and nodes"},
                            Other{"fsdp", "say exchange, sharded"},
                            Other{"zerostage", "say exchange, sharded for stage 3"},
                            Other{"lorarank", "say adapter, such as lora:16"}};

}  // namespace

std::string ask_instead_of(std::string_view column) {
  // What tells how much there is to do, or what somebody measured there: no rate depends on it.
  static constexpr std::array<std::string_view, 7> told{
      "epochs", "at", "items", "p99", "first_token", "token", "burst"};
  const auto said = bare(column);
  const auto* const other = std::find_if(
      others.begin(), others.end(), [&](const Other& one) { return one.heading == said; });
  if (other != others.end()) {
    return std::string(other->instead);
  }
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

}  // namespace rightsize
