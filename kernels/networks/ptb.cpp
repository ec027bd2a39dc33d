// The Penn Treebank's language models: Zaremba, Sutskever, Vinyals, "Recurrent Neural Network
// Regularization", 2014, in the three sizes of TensorFlow's ptb_word_lm.py: two LSTM layers, words
// embedded to their width, dropout around them, a state that carries over from step to step.
// Parameters: 4.65 M, 19.8 M and 66.0 M (the paper calls them 20 M and 66 M).
#include <fmt/format.h>

#include "kernels/networks/builder.h"
#include "kernels/networks/families.h"

namespace rightsize {
namespace {

constexpr std::int64_t words = 10'000;

struct Size {
  const char* name;
  const char* title;
  std::int64_t width;
  float dropout;  // one minus the script's keep_prob
};

Network make_ptb(const Size& size, int sequence) {
  auto net = NetworkBuilder::of_tokens(size.name, size.title, sequence, words, words);
  const auto drop = [&](const char* name, int from) {
    return size.dropout > 0 ? net.dropout(name, from, size.dropout) : from;
  };
  int x = drop("drop0", net.embedding("embedding", net.input(), words, size.width));
  for (int i = 1; i <= 2; ++i) {
    x = net.lstm(fmt::format("lstm{}", i), x, size.width, false, true);
    x = drop(i == 1 ? "drop1" : "drop2", x);
  }
  return net.finish(net.linear("softmax", x, words, true));
}

}  // namespace

Network make_ptb_small(int sequence) {
  return make_ptb({"ptb-small", "PTB LSTM, small", 200, 0}, sequence);
}

Network make_ptb_medium(int sequence) {
  return make_ptb({"ptb-medium", "PTB LSTM, medium", 650, 0.5F}, sequence);
}

Network make_ptb_large(int sequence) {
  return make_ptb({"ptb-large", "PTB LSTM, large", 1500, 0.65F}, sequence);
}

}  // namespace rightsize
