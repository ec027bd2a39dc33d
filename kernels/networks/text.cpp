// The text networks of Keras' examples. Where Keras ends in one sigmoid for two classes, these end
// in two scores: as many more parameters as the last layer has inputs, and one.
#include "kernels/networks/builder.h"
#include "kernels/networks/families.h"

namespace rightsize {
namespace {

constexpr std::int64_t imdb_words = 20'000;
constexpr std::int64_t nietzsche_characters = 57;

}  // namespace

// examples/imdb_fasttext.py with words alone: Joulin et al., "Bag of Tricks for Efficient Text
// Classification", EACL 2017. 1 000 051 parameters by its summary(), and 51.
Network make_imdb_fasttext(int sequence) {
  auto net = NetworkBuilder::of_tokens("imdb-fasttext", "fastText, IMDb", sequence, imdb_words, 2);
  int x = net.embedding("embedding", net.input(), imdb_words, 50);
  x = net.global_average_pool("mean", x);
  return net.finish(net.fully_connected("dense", x, 2), Optimizer::adam);
}

// examples/imdb_bidirectional_lstm.py: 2 658 945 parameters by its summary(), and 129.
Network make_imdb_lstm(int sequence) {
  auto net =
      NetworkBuilder::of_tokens("imdb-lstm", "Bidirectional LSTM, IMDb", sequence, imdb_words, 2);
  int x = net.embedding("embedding", net.input(), imdb_words, 128);
  x = net.lstm("lstm", x, 64, true);
  x = net.final_state("state", x);
  x = net.dropout("drop", x, 0.5F);
  return net.finish(net.fully_connected("dense", x, 2), Optimizer::adam);
}

// examples/lstm_text_generation.py on Nietzsche's writings: 57 different characters, of which the
// last 40 tell the next one. 102 585 parameters: 4 x 128 x (57 + 128 + 1), and 129 x 57.
Network make_text_lstm(int sequence) {
  auto net = NetworkBuilder::of_tokens("text-lstm",
                                       "LSTM text generation",
                                       sequence,
                                       nietzsche_characters,
                                       static_cast<int>(nietzsche_characters));
  int x = net.one_hot("characters", net.input(), nietzsche_characters);
  x = net.lstm("lstm", x, 128);
  x = net.take_position("last", x, -1);
  return net.finish(net.fully_connected("dense", x, static_cast<int>(nietzsche_characters)));
}

}  // namespace rightsize
