// What decoders of text share, in both of their forms: as they write, one position a pass, and as
// they are trained, all positions at once.
#pragma once

#include <string>
#include <vector>

#include "kernels/networks/builder.h"
#include "kernels/networks/encoder_decoder/encoder_decoder.h"

namespace rightsize {

struct DecoderHeads {
  std::int64_t heads = 1;
  std::int64_t head_dim = 64;
  bool bias = true;  // of the four matrices

  [[nodiscard]] std::int64_t width() const { return heads * head_dim; }
};

// Begins the part of a network that writes. Made before any of its layers, and after what they read
// of the encoder.
class Decoder {
 public:
  // `depth` blocks, each with attention to what the encoder made, `read`.
  Decoder(NetworkBuilder& net,
          const EncoderDecoderInfo& info,
          const TextForm& form,
          int read,
          int depth,
          DecoderHeads heads);

  // The tokens so far, or the one that was written last.
  [[nodiscard]] int tokens() const { return tokens_; }
  // Of block 1, 2 ...: each text to itself, and to what was read.
  int looking_back(int block, int from);
  int looking_at_read(int block, int from);
  // All that follows is of the text once.
  void end();

 private:
  int projection(const std::string& name, int from, int to_width_of);

  NetworkBuilder& net_;
  DecoderHeads heads_;
  std::vector<int> read_;    // keys and values, by block
  std::vector<int> cached_;  // likewise, of what was written; none where it is trained
  int tokens_ = 0;
};

}  // namespace rightsize
