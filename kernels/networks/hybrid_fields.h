// Fields of a config.json that families of hybrid.h have alike, and the readers of those that are
// built on Mamba (hybrid_mamba.cpp) and on what is linear or a convolution (hybrid_linear.cpp;
// hybrid_families.h has the table of all).
#pragma once

#include <cstdint>
#include <functional>

#include "kernels/networks/config_file.h"
#include "kernels/networks/hybrid.h"

namespace rightsize {

// A mixer for each block, counted from 0.
using MixerOf = std::function<Mixer(std::int64_t block)>;

// In the file itself, or among what newer files say of rotary positions.
[[nodiscard]] double rope_theta_or(const ConfigFile& file, double otherwise);

void read_hybrid_attention(const ConfigFile& file, HybridConfig& config);

// Of a list of them. Throws NetworkError, naming `field`, for another word.
[[nodiscard]] Mixer mixer_named(const ConfigFile& file,
                                const char* field,
                                const boost::json::value& word);

// By the list "layer_types", which is borrowed from the file, where there is one.
[[nodiscard]] MixerOf listed_mixers(const ConfigFile& file, MixerOf otherwise);

// As many blocks as the file says.
void fill_blocks(const ConfigFile& file, HybridConfig& config, FeedKind feed, const MixerOf& mixer);

// The first `count` blocks have no experts.
void begin_dense(const ConfigFile& file, HybridConfig& config, std::int64_t count);

void read_kimi(const ConfigFile& file, HybridConfig& config);
void read_minimax(const ConfigFile& file, HybridConfig& config);
void read_lfm2(const ConfigFile& file, HybridConfig& config);

void read_granite(const ConfigFile& file, HybridConfig& config);
void read_bamba(const ConfigFile& file, HybridConfig& config);
void read_falcon_h1(const ConfigFile& file, HybridConfig& config);
void read_jamba(const ConfigFile& file, HybridConfig& config);
void read_mamba(const ConfigFile& file, HybridConfig& config);
void read_mamba2(const ConfigFile& file, HybridConfig& config);

}  // namespace rightsize
