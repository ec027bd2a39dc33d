// Pictures in the prompts of a language model that sees (kernels/networks/vision_language): before
// a prompt is read, its tower runs over each picture,
//   t = pictures flops / rate,
// at the rate of 16-bit products, as quantised checkpoints keep towers wide (Qwen2.5-VL's AWQ and
// FP8 ones list "visual" among modules that are not converted); a replica's GPUs share it. Its
// weights are held beside the text model's, and no token's iteration reads them. What a picture
// becomes is counted with the prompt's tokens by whoever says how long that is (picture_tokens()).
// Not counted: what the host does with pictures before, and the room that a server sets aside for
// the largest ones. Range: pictures of up to some thousand patches, whose products outweigh their
// attention; vision_encoders.csv says by how much towers alone are off.
#pragma once

namespace rightsize {

struct DecodeGpu;
struct DecodeWork;

// Of a prompt's pictures; `work` is one GPU's part.
[[nodiscard]] double tower_seconds(const DecodeWork& work, const DecodeGpu& gpu);

// Of ln(time), beside the program's. Six published rates (calibration/vision_language.csv), asked
// blind, were told 2.1 times too fast at the median, at worst 4.7 times, as hosts prepared no more
// than 3 to 7 pictures a second there; the law is not set to so few, its interval holds five.
inline constexpr double pictures_log_sd = 0.75;

}  // namespace rightsize
