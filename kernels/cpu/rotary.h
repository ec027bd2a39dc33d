// Rotary position embedding (Su et al., "RoFormer", 2021): features i and i + d/2 of a head turn
// together by the angle t base^(-2i/d) at position t, halves against each other as in Llama's
// published code.
#pragma once

#include <cstdint>

namespace rightsize::cpu {

// Row t of the table, `head_dim` floats: the cosines of position first + t, then its sines.
void fill_rotary_table(
    float* table, std::int64_t first, std::int64_t positions, std::int64_t head_dim, double base);

// `head` is one head's features; `row` a row of the table.
void rotate(float* head, const float* row, std::int64_t head_dim);
// By the opposite angle, which is how a gradient goes back through the rotation.
void rotate_back(float* head, const float* row, std::int64_t head_dim);

}  // namespace rightsize::cpu
