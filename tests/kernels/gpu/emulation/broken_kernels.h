// Kernels with the mistakes that the emulation is there to find, and sound ones next to them.
#pragma once

namespace rightsize::emulation {

// out[i] = the sum of in[0, 256), by one block of 256 threads.
enum class Sum {
  sound,
  no_barrier_before_reading,   // reads what its neighbours have not written yet
  no_barrier_before_reusing,   // a second round overwrites what others still read
  barrier_for_some,            // half of the block does not come
  two_barriers,                // one half waits at another barrier than the other
  beyond_shared_memory,        // writes one element too far
  by_shuffles,                 // sound, over warps
  shuffle_without_some_lanes,  // lanes of the mask have ended
};
void launch_sum(Sum how, const float* in, float* out);

void launch_fill(float* out, int count, int blocks);  // each of count / blocks threads writes one
void launch_wide_fill(float* out);                    // 4 floats by one store

}  // namespace rightsize::emulation
