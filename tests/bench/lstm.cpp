// Our LSTM of one direction beside oneDNN's own primitive, turn about, in FP32: the forward pass as
// in inference, and a training step (both passes; the primitive also brings the weights into the
// layouts of its passes, as the optimizer has moved them).
//   bench_lstm [threads] [rounds]
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <vector>

#include <fmt/core.h>
#include <omp.h>

#include "bench/bare_lstm.h"
#include "bench/timing.h"
#include "kernels/cpu/lstm_direction.h"
#include "kernels/cpu/lstm_resident.h"

using namespace rightsize;
using bench::LstmSize;

namespace {

constexpr std::array sizes{
    LstmSize{"ptb-small", 20, 20, 200, 200},
    LstmSize{"ptb-medium", 20, 35, 650, 650},
    LstmSize{"ptb-large", 20, 35, 1500, 1500},
    LstmSize{"text-lstm", 128, 40, 57, 128},
    LstmSize{"imdb-lstm", 32, 100, 128, 64},
};

// The memory of one direction, as the engine would lay it out.
class OurLstm {
 public:
  explicit OurLstm(const LstmSize& size)
      : shape_{size.items, size.positions, size.in, size.hidden, size.hidden, false} {
    const auto gates = 4 * shape_.hidden;
    input_.resize(gates * shape_.in, 1e-3F);
    recurrent_.resize(gates * shape_.hidden, 1e-3F);
    bias_.resize(gates);
    x_.resize(shape_.rows() * shape_.in, 0.1F);
    state_.resize(shape_.items * shape_.hidden);
    gates_.resize(shape_.rows() * gates);
    for (auto* rows : {&cells_, &y_, &dy_, &before_}) {
      rows->resize(shape_.rows() * shape_.hidden, 0.01F);
    }
    later_ = cell_ = state_;
    turned_ = recurrent_;
    turned_input_ = input_;
    input_gradient_ = input_;
    recurrent_gradient_ = recurrent_;
    bias_gradient_ = bias_;
    dx_ = x_;
  }

  void forward() { cpu::lstm_forward(shape_, weights(), pass()); }

  // As the engine infers.
  void infer() {
    if (!cpu::is_resident(shape_, omp_get_max_threads())) {
      forward();
      return;
    }
    turn(input_, 4 * shape_.hidden, turned_input_);
    cpu::lstm_resident(shape_,
                       {x_.data(),
                        state_.data(),
                        state_.data(),
                        turned_input_.data(),
                        recurrent_.data(),
                        bias_.data(),
                        gates_.data(),
                        cells_.data(),
                        y_.data()});
  }

  void backward() {
    std::fill(dx_.begin(), dx_.end(), 0.0F);
    turn(recurrent_, shape_.hidden, turned_);  // as the optimizer has moved them
    cpu::lstm_backward(
        shape_,
        weights(),
        {pass(), dy_.data(), before_.data(), later_.data(), cell_.data()},
        {input_gradient_.data(), recurrent_gradient_.data(), bias_gradient_.data(), dx_.data()});
  }

 private:
  static void turn(const std::vector<float>& from, std::int64_t rows, std::vector<float>& to) {
    const auto columns = static_cast<std::int64_t>(from.size()) / rows;
    for (std::int64_t k = 0; k < columns; ++k) {
      for (std::int64_t j = 0; j < rows; ++j) {
        to[k * rows + j] = from[j * columns + k];
      }
    }
  }
  [[nodiscard]] cpu::LstmWeights weights() const {
    return {input_.data(), recurrent_.data(), turned_.data(), bias_.data()};
  }
  [[nodiscard]] cpu::LstmForward pass() {
    return {x_.data(), state_.data(), state_.data(), gates_.data(), cells_.data(), y_.data()};
  }

  cpu::LstmShape shape_;
  std::vector<float> input_, recurrent_, turned_, turned_input_, bias_, x_, state_, gates_, cells_,
      y_, dy_, before_;
  std::vector<float> later_, cell_, input_gradient_, recurrent_gradient_, bias_gradient_, dx_;
};

struct Times {
  double ours = HUGE_VAL;
  double bare = HUGE_VAL;

  void take(double our_seconds, double bare_seconds) {
    ours = std::min(ours, our_seconds);
    bare = std::min(bare, bare_seconds);
  }
};

void print(const LstmSize& size, const char* pass, const Times& times) {
  fmt::print("{:11} {:6} {:10.2f} {:10.2f} {:8.2f}\n",
             size.name,
             pass,
             times.ours * 1e3,
             times.bare * 1e3,
             times.bare / times.ours);
}

void compare(const LstmSize& size, int rounds) {
  OurLstm ours(size);
  bench::BareLstm inference(size, false);
  bench::BareLstm training(size, true);
  Times infer;
  Times train;
  for (int round = 0; round <= rounds; ++round) {
    const auto our_forward = bench::seconds([&] { ours.infer(); });
    const auto bare_forward = bench::seconds([&] { inference.forward(); });
    const auto our_step = bench::seconds([&] {
      ours.forward();
      ours.backward();
    });
    const auto bare_step = bench::seconds([&] {
      training.reorder_weights();
      training.forward();
      training.backward();
    });
    if (round > 0) {  // the first warms up
      infer.take(our_forward, bare_forward);
      train.take(our_step, bare_step);
    }
  }
  print(size, "infer", infer);
  print(size, "train", train);
}

}  // namespace

int main(int argc, char** argv) try {
  omp_set_num_threads(argc > 1 ? std::atoi(argv[1]) : 1);
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 9;
  fmt::print("{:11} {:6} {:>10} {:>10} {:>8}\n", "layer of", "pass", "ours ms", "bare ms", "speed");
  for (const auto& size : sizes) {
    compare(size, rounds);
  }
} catch (const std::exception& error) {
  fmt::print(stderr, "bench_lstm: {}\n", error.what());
  return 1;
}
