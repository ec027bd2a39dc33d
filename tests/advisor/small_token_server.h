// A server of language models for tests that need no network or GPU of the tables.
#pragma once

#include "advisor/tokens/token_service.h"

namespace rightsize::test {

// 8 billion parameters at 16 bits on something like an A100.
inline TokenServer small_token_server(double log_sd, int replicas = 1) {
  TokenServer server;
  server.work = {.weight_bytes = 16e9,
                 .kv_bytes_per_token = 128e3,
                 .flops_per_token = 16e9,
                 .prompt_flops = 8.2e12};
  server.gpu = {
      .bytes_per_s = 1.5e12, .flops_per_s = 150e12, .memory_bytes = 80e9, .overhead_s = 1e-3};
  server.lengths = {0, 512, 128};
  server.log_sd = log_sd;
  server.replicas = replicas;
  return server;
}

}  // namespace rightsize::test
