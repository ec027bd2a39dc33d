// The words of CUDA's device side for translated kernels; included in front of each of them.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <source_location>
#include <type_traits>

#include <cuda_runtime.h>

#include "kernels/gpu/emulation/block.h"
#include "kernels/gpu/emulation/launch.h"

#define threadIdx (::rightsize::emulation::this_thread().index)
#define blockIdx (::rightsize::emulation::this_block().index())
#define blockDim (::rightsize::emulation::this_block().threads())
#define gridDim (::rightsize::emulation::this_block().grid())

namespace rightsize::emulation {

// A __shared__ variable: its place in the source and its type tell it from the block's others.
template <typename T>
std::remove_cv_t<T>& block_shared(std::source_location where = std::source_location::current()) {
  static const char identity{};
  return *static_cast<std::remove_cv_t<T>*>(
      this_block().shared().variable(&identity, where.line(), sizeof(T)));
}

template <typename T>
T* dynamic_shared() {
  return static_cast<T*>(this_block().shared().dynamic());
}

// All lanes of `mask` come here with a value; the answer is that of `lane`.
template <typename T>
T exchange(unsigned mask, T value, int lane, std::source_location where) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(LaneSlot));
  LaneSlot slot;
  std::memcpy(slot.bytes.data(), &value, sizeof value);
  this_block().meet(mask, slot, where);
  std::memcpy(&value, this_block().brought_by(lane).bytes.data(), sizeof value);
  return value;
}

inline int own_lane() {
  return this_thread().lane;
}

// The lane `from` if it lies in the calling lane's group of `width`, else the calling lane.
inline int within_group(int from, int width) {
  const int first = own_lane() / width * width;
  return from >= first && from < first + width ? from : own_lane();
}

}  // namespace rightsize::emulation

using Where = std::source_location;

inline void __syncthreads(Where where = Where::current()) {
  rightsize::emulation::this_block().barrier(where);
}
inline void __syncwarp(unsigned mask = 0xffffffffU, Where where = Where::current()) {
  rightsize::emulation::exchange(mask, 0, rightsize::emulation::own_lane(), where);
}
inline void __threadfence() {}
inline void __threadfence_block() {}

template <typename T>
T __shfl_sync(unsigned mask, T value, int lane, int width = 32, Where where = Where::current()) {
  const int first = rightsize::emulation::own_lane() / width * width;
  return rightsize::emulation::exchange(mask, value, first + lane % width, where);
}
template <typename T>
T __shfl_xor_sync(
    unsigned mask, T value, int bits, int width = 32, Where where = Where::current()) {
  using namespace rightsize::emulation;
  return exchange(mask, value, within_group(own_lane() ^ bits, width), where);
}
template <typename T>
T __shfl_down_sync(
    unsigned mask, T value, unsigned by, int width = 32, Where where = Where::current()) {
  using namespace rightsize::emulation;
  return exchange(mask, value, within_group(own_lane() + static_cast<int>(by), width), where);
}
template <typename T>
T __shfl_up_sync(
    unsigned mask, T value, unsigned by, int width = 32, Where where = Where::current()) {
  using namespace rightsize::emulation;
  return exchange(mask, value, within_group(own_lane() - static_cast<int>(by), width), where);
}

inline unsigned __ballot_sync(unsigned mask, int vote, Where where = Where::current()) {
  using namespace rightsize::emulation;
  exchange(mask, vote, own_lane(), where);
  unsigned result = 0;
  for (int lane = 0; lane < warp_lanes; ++lane) {
    if ((mask >> lane & 1U) != 0) {
      int other = 0;
      std::memcpy(&other, this_block().brought_by(lane).bytes.data(), sizeof other);
      result |= (other != 0 ? 1U : 0U) << lane;
    }
  }
  return result;
}
inline int __any_sync(unsigned mask, int vote, Where where = Where::current()) {
  return __ballot_sync(mask, vote, where) != 0;
}
inline int __all_sync(unsigned mask, int vote, Where where = Where::current()) {
  return __ballot_sync(mask, vote, where) == mask;
}

// A fiber is never interrupted, so plain arithmetic is atomic here.
template <typename T>
T atomicAdd(T* at, std::type_identity_t<T> value) {
  const T old = *at;
  *at = old + value;
  return old;
}
template <typename T>
T atomicMax(T* at, std::type_identity_t<T> value) {
  const T old = *at;
  *at = std::max(old, value);
  return old;
}
template <typename T>
T atomicMin(T* at, std::type_identity_t<T> value) {
  const T old = *at;
  *at = std::min(old, value);
  return old;
}
template <typename T>
T atomicOr(T* at, std::type_identity_t<T> value) {
  const T old = *at;
  *at = old | value;
  return old;
}
template <typename T>
T atomicExch(T* at, std::type_identity_t<T> value) {
  const T old = *at;
  *at = value;
  return old;
}
template <typename T>
T atomicCAS(T* at, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
  const T old = *at;
  *at = old == expected ? value : old;
  return old;
}

template <typename A, typename B>
requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B>) constexpr std::common_type_t<A, B> min(
    A a, B b) {
  return b < a ? b : a;
}
template <typename A, typename B>
requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B>) constexpr std::common_type_t<A, B> max(
    A a, B b) {
  return a < b ? b : a;
}

template <typename T>
T __ldg(const T* at) {
  return *at;
}
inline float rsqrtf(float x) {
  return 1.0F / std::sqrt(x);
}
inline float __expf(float x) {
  return std::exp(x);
}
inline float __logf(float x) {
  return std::log(x);
}
inline float __fdividef(float a, float b) {
  return a / b;
}
inline int __popc(unsigned bits) {
  return std::popcount(bits);
}
inline int __clz(int bits) {
  return std::countl_zero(static_cast<unsigned>(bits));
}
using std::isfinite;
using std::isinf;
using std::isnan;
