// The columns of a batch file that say what a language model writes, and how its numbers are held.
#include <array>

#include "advisor/machine/batch_cell.h"
#include "advisor/machine/batch_columns.h"
#include "advisor/query/batch_limit.h"
#include "advisor/query/writing_words.h"
#include "models/laws/spelling.h"

namespace rightsize {
namespace {

// Programs that train have columns of these names too, of no text that is written.
template <int Writing::*length>
bool read_length(std::string_view text, BatchDraft& draft) {
  return says_nothing(text) || draft.asked.phase != Phase::decode ||
         read_count(
             text, 1, most_text_tokens, [&](int value) { draft.asked.writing.*length = value; });
}

// As wide as the precision.
bool says_wide(std::string_view text) {
  const auto word = bare(text);
  return says_nothing(text) || says_no(text) || word == "auto" || word == "16bit" ||
         word == "fp16" || word == "bf16";
}

// "quantization = none" is what a server is told that loads the checkpoint as it is. Of training
// such a column says in how many bits it computes.
bool read_weights(std::string_view text, BatchDraft& draft) {
  auto& asked = draft.asked;
  const bool writes = asked.phase == Phase::decode;
  if (says_nothing(text) || says_no(text) || says_as_published(text) ||
      (says_wide(text) && !writes)) {
    return true;
  }
  return store_if(says_wide(text) ? WeightFormat::own : parse_weights(text, asked.precision),
                  asked.writing.weights);
}

constexpr std::array columns{
    BatchColumn{{"prompt_tokens",
                 "input_tokens",
                 "isl",
                 "input_length",
                 "input_len",
                 "prompt_length",
                 "prompt_len"},
                token_count_grammar,
                "tokens are written at a cache of sequence",
                read_length<&Writing::prompt_tokens>},
    BatchColumn{{"output_tokens",
                 "osl",
                 "output_length",
                 "output_len",
                 "max_new_tokens",
                 "max_tokens",
                 "generated_tokens"},
                token_count_grammar,
                "as prompt_tokens",
                read_length<&Writing::output_tokens>},
    BatchColumn{{"weights", "quantization", "weight_format"},
                weights_grammar,
                "as the network is published",
                read_weights},
    BatchColumn{{"caches", "kv_cache_dtype", "kv_cache"},
                "fp8, of keys and values",
                "as wide as the precision",
                [](std::string_view text, BatchDraft& draft) {
                  const bool fp8 = bare(text).starts_with("fp8");
                  draft.asked.writing.fp8_caches = fp8;
                  return fp8 || says_wide(text);
                }},
};

}  // namespace

std::span<const BatchColumn> writing_columns() {
  return columns;
}

}  // namespace rightsize
