// MPT: MosaicML's GPT-2 of many sizes, as the yamls under scripts/train/yamls/pretrain of
// mosaicml/llm-foundry shape them: a vocabulary of 50368, as many learned positions as the sequence
// has, the head tied to the embedding.
#include "kernels/networks/families.h"
#include "kernels/networks/gpt2.h"

namespace rightsize {
namespace {

Network mpt(const char* name, const char* title, int layers, std::int64_t width, int sequence) {
  constexpr std::int64_t head = 128;
  constexpr std::int64_t narrow_head = 64;
  constexpr std::int64_t narrow = 1024;
  return make_gpt({.name = name,
                   .title = title,
                   .layers = layers,
                   .width = width,
                   .heads = width / (width > narrow ? head : narrow_head),
                   .vocabulary = 50'368,
                   .context = sequence},
                  sequence);
}

}  // namespace

Network make_mpt_350m(int sequence) {
  return mpt("mpt-350m", "MPT 350M", 24, 1024, sequence);
}
Network make_mpt_760m(int sequence) {
  return mpt("mpt-760m", "MPT 760M", 24, 1536, sequence);
}
Network make_mpt_1b(int sequence) {
  return mpt("mpt-1b", "MPT 1B", 24, 2048, sequence);
}
Network make_mpt_3b(int sequence) {
  return mpt("mpt-3b", "MPT 3B", 32, 2560, sequence);
}
Network make_mpt_7b(int sequence) {
  return mpt("mpt-7b", "MPT 7B", 32, 4096, sequence);
}
Network make_mpt_13b(int sequence) {
  return mpt("mpt-13b", "MPT 13B", 40, 5120, sequence);
}
Network make_mpt_30b(int sequence) {
  return mpt("mpt-30b", "MPT 30B", 48, 7168, sequence);
}
Network make_mpt_70b(int sequence) {
  return mpt("mpt-70b", "MPT 70B", 80, 8192, sequence);
}

}  // namespace rightsize
