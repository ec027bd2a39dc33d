// The command line of the server that a language model's service names: as it was sized it is
// started, one process a replica. The checkpoint is the user's to name (MODEL). Flags as their
// programs document them, read in November 2026:
//   vLLM          docs.vllm.ai/en/latest, "Engine Arguments" and "Data Parallel Deployment": what
//                 --max-num-seqs says is said of each data-parallel rank
//   SGLang        docs.sglang.io/advanced_features/server_arguments; --max-running-requests is said
//                 of all ranks together (sgl-project/sglang, pull request 20063)
//   TensorRT-LLM  tensorrt_llm/commands/serve.py; what has no flag goes by a YAML file. Of each
//                 rank is --max_batch_size (ai-dynamo/dynamo, 11982)
//   llama.cpp     tools/server/README.md and docs/docker.md; the context of all slots is -c's
//   TGI           huggingface.co/docs/text-generation-inference/reference/launcher
// Images for ROCm by the same documents, and lmsysorg/sglang's tags on Docker Hub.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advisor/recommendation.h"

namespace rightsize {

struct ServerCommand {
  std::string image;
  std::string_view folder;  // the variable that names where it keeps checkpoints that it fetches
  int port = 0;             // of a machine's first replica
  int sequences = 0;        // that a replica may hold at once
  bool narrows = false;     // 16-bit weights, when it has fetched them
  std::string checkpoint;   // what MODEL has to name, for a comment; one line
  std::string longest;      // longest_request_words() of its flags
  std::string before;       // a line of bash that comes first; mostly empty
  std::vector<std::string> line;  // a replica's, of $MODEL and $PORT; what belongs together is one
};

// nullopt where nothing writes tokens, or no software is named whose command line is known and
// which is published for such GPUs.
[[nodiscard]] std::optional<ServerCommand> server_command(const Recommendation& answer,
                                                          const Option& option);

// How to have one written: a line for a comment on a service that writes tokens and has none: by
// software that runs on the option's GPU.
[[nodiscard]] std::string server_command_hint(const Query& query, const Option& option);
// That as lines of a comment, and what MAX_TOKENS is made of in the server's environment.
[[nodiscard]] std::string skeleton_comment(const Query& query, const Option& option);

}  // namespace rightsize
