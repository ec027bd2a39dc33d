// What a flag, a key of a job file and a field of an answer may say, as their errors list it: the
// words that are written, of the many that are understood (workload_words.h, software_words.h).
#pragma once

namespace rightsize {

inline constexpr const char* phase_grammar = "train, infer, decode or preprocess";
inline constexpr const char* data_grammar = "synthetic, jpeg, recordio, lmdb or tfrecord";
inline constexpr const char* stack_grammar = "era or current";
inline constexpr const char* exchange_grammar = "local, device, nccl or sharded";
inline constexpr const char* compression_grammar = "none or 2bit";
inline constexpr const char* preprocess_grammar = "cpu, gpu or either";

}  // namespace rightsize
