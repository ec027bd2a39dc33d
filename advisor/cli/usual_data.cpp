#include "advisor/cli/usual_data.h"

#include "advisor/cli/flag_word.h"
#include "advisor/query/query_data.h"
#include "kernels/networks/program.h"
#include "kernels/work.h"

namespace rightsize::cli {

void take_usual_data(const Values& values, const Network& network, Configuration& asked) {
  if (const auto samples = usual_samples(asked.network)) {
    asked.items = given(values, "items") ? asked.items : samples->items;
    asked.bytes = given(values, "bytes") ? asked.bytes : samples->bytes_of(asked.items);
    asked.shuffle = false;
  }
  const bool chosen = given(values, "data");
  if (network.reads_tokens() && (!chosen || asked.data == DataFormat::tokens)) {
    asked.data = DataFormat::tokens;
    asked.bytes = given(values, "bytes") ? asked.bytes : asked.items * token_bytes(network);
    asked.shuffle = false;
  } else if (chosen) {
    return;
  } else if (is_denoiser(network) || network.hears()) {
    asked.data = DataFormat::synthetic;  // latents or spectra, made beforehand
  } else if (program_named(asked.network) && !given(values, "bytes")) {
    asked.data = DataFormat::synthetic;  // it reads nothing that is known of
  }
}

}  // namespace rightsize::cli
