// What lies in memory at once while the layers of a network follow one another.
#pragma once

#include "kernels/network.h"

namespace rightsize {

// A sequence is another view of its image, or that of it, and an input is the caller's.
[[nodiscard]] bool owns_activation(const Layer& layer);

// Where a step begins: behind the latents that a model of pictures starts from, or behind the input
// of a denoiser alone.
[[nodiscard]] std::size_t first_of_denoiser(const Network& network);

// Where pixels begin to be made of latents: behind the last layer that has their shape. Programs do
// so picture by picture where all at once would not fit (diffusers calls it slicing), so that their
// largest batches are those of the denoiser (calibration/pictures.csv).
[[nodiscard]] std::size_t first_of_decoder(const Network& network);

// The most that lies in memory at once while layers first .. end - 1 follow one another, each
// output kept until its last reader is done.
[[nodiscard]] std::uint64_t most_alive(const Network& network, std::size_t first, std::size_t end);

}  // namespace rightsize
