// Shapes of BERT's kin that more than one family begins with.
#pragma once

#include "kernels/networks/encoder.h"

namespace rightsize {

// Conneau et al., "Unsupervised Cross-lingual Representation Learning at Scale", ACL 2020.
[[nodiscard]] EncoderConfig xlm_roberta(const char* name,
                                        const char* title,
                                        int layers,
                                        std::int64_t width);

// With a vector in the place of the head, made of the first position by BERT's pooler.
[[nodiscard]] EncoderConfig as_embedder(EncoderConfig config);

}  // namespace rightsize
