// A symmetric matrix of variances and covariances, as a plain value: what reads or carries a model
// needs no linear algebra, and its headers cost every file that includes them.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace rightsize {

class Covariance {
 public:
  Covariance() = default;
  explicit Covariance(std::size_t size) : size_(size), values_(size * size, 0.0) {}

  [[nodiscard]] std::size_t size() const { return size_; }

  // Row by row, size() x size().
  [[nodiscard]] const std::vector<double>& values() const { return values_; }

  [[nodiscard]] double operator()(std::size_t row, std::size_t column) const {
    return values_[row * size_ + column];
  }
  double& operator()(std::size_t row, std::size_t column) { return values_[row * size_ + column]; }

  // Room for one more quantity, that depends on no other.
  void append(double variance) {
    Covariance larger(size_ + 1);
    for (std::size_t row = 0; row < size_; ++row) {
      for (std::size_t column = 0; column < size_; ++column) {
        larger(row, column) = (*this)(row, column);
      }
    }
    larger(size_, size_) = variance;
    *this = larger;
  }

  // This quantity depends on no other from now on.
  void set_independent(std::size_t index, double variance) {
    for (std::size_t other = 0; other < size_; ++other) {
      (*this)(index, other) = 0;
      (*this)(other, index) = 0;
    }
    (*this)(index, index) = variance;
  }

  // What the inversion of a fit leaves by rounding is no dependence.
  [[nodiscard]] bool is_independent(std::size_t index) const {
    constexpr double rounding = 1e-6;  // of a correlation
    for (std::size_t other = 0; other < size_; ++other) {
      const double variances = (*this)(index, index) * (*this)(other, other);
      if (other != index && std::abs((*this)(index, other)) > rounding * std::sqrt(variances)) {
        return false;
      }
    }
    return true;
  }

  // x' C x: the variance of a sum of the quantities, each taken so many times.
  [[nodiscard]] double variance_of(const std::vector<double>& weights) const {
    double sum = 0;
    for (std::size_t row = 0; row < size_; ++row) {
      double line = 0;
      for (std::size_t column = 0; column < size_; ++column) {
        line += (*this)(row, column) * weights[column];
      }
      sum += weights[row] * line;
    }
    return sum;
  }

 private:
  std::size_t size_ = 0;
  std::vector<double> values_;
};

}  // namespace rightsize
