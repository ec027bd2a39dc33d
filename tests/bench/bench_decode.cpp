// Stored JPEG to normalised 3 x 224 x 224 floats on one core: our path against OpenCV's, turn about
// in the same run, so that the ratio survives a noisy machine.
//   bench_decode [rounds [photo.jpg ...]]      without photos: 64 generated ImageNet-like ones
#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "kernels/data/file.h"
#include "kernels/data/item.h"
#include "kernels/data/scene.h"

using namespace rightsize;

namespace {

using Bytes = std::vector<std::byte>;

std::vector<Bytes> generated_photos() {
  const ScenePainter painter(1, 10);
  JpegEncoder encoder;
  std::vector<std::uint8_t> pixels;
  std::vector<Bytes> photos;
  for (int i = 0; i < 64; ++i) {
    const auto jpeg =
        encoder.encode(painter.paint(static_cast<std::uint64_t>(i), i % 10, pixels), 95);
    photos.emplace_back(jpeg.begin(), jpeg.end());
  }
  return photos;
}

std::vector<Bytes> read_photos(int argc, char** argv) {
  std::vector<Bytes> photos;
  for (int i = 2; i < argc; ++i) {
    Bytes storage;
    const auto bytes = read_file(argv[i], storage);
    photos.emplace_back(bytes.begin(), bytes.end());
  }
  return photos;
}

// What a careful OpenCV user writes: buffers kept, BGR to RGB folded into the order of the planes.
class OpenCvItem {
 public:
  void make(const Bytes& jpeg, const Draw& draw, std::vector<float>& planes) {
    const cv::Mat stored(
        1, static_cast<int>(jpeg.size()), CV_8U, const_cast<std::byte*>(jpeg.data()));
    cv::imdecode(stored, cv::IMREAD_COLOR, &image_);
    finish(image_, {2, 1, 0}, draw, planes);
  }

  // The same without imdecode, whose swap of red and blue is slow in some builds: libjpeg-turbo's
  // plain decode, then OpenCV.
  void make_from_libjpeg(const Bytes& jpeg, const Draw& draw, std::vector<float>& planes) {
    decoder_.open(jpeg);
    const auto part = decoder_.decode();
    const cv::Mat picture(
        part.whole.height, part.whole.width, CV_8UC3, const_cast<std::uint8_t*>(part.view.pixels));
    finish(picture, {0, 1, 2}, draw, planes);
  }

 private:
  void finish(const cv::Mat& picture,
              const std::array<std::size_t, 3>& order,
              const Draw& draw,
              std::vector<float>& planes) {
    const auto target = with_shorter_side({picture.cols, picture.rows}, 256);
    cv::resize(picture, resized_, {target.width, target.height}, 0, 0, cv::INTER_LINEAR);
    const auto how = random_crop(target, 224, draw.seed, draw.epoch, draw.item);
    cv::Mat window = resized_(cv::Rect(how.window.x, how.window.y, 224, 224));
    if (how.flip) {
      cv::flip(window, flipped_, 1);
      window = flipped_;
    }
    cv::split(window, planes_);
    for (std::size_t c = 0; c < 3; ++c) {
      cv::Mat target_plane(224, 224, CV_32F, planes.data() + c * 224 * 224);
      planes_[order[c]].convertTo(target_plane,
                                  CV_32F,
                                  1 / (255 * imagenet_deviation[c]),
                                  -imagenet_mean[c] / imagenet_deviation[c]);
    }
  }

  JpegDecoder decoder_{JpegOptions{.fast = false, .partial = false}};
  cv::Mat image_;
  cv::Mat resized_;
  cv::Mat flipped_;
  std::vector<cv::Mat> planes_;
};

struct Contender {
  std::string name;
  std::function<void(const Bytes&, const Draw&, std::vector<float>&)> make;
  std::vector<double> rates{};  // items/s, one per round
};

double median(std::vector<double> values) {
  std::nth_element(values.begin(),
                   values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

// The thread's own time: the neighbours' load does not count.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void run_round(Contender& contender, const std::vector<Bytes>& photos, std::uint64_t round) {
  std::vector<float> planes(3 * 224 * 224);
  const double start = cpu_seconds();
  for (std::size_t i = 0; i < photos.size(); ++i) {
    contender.make(photos[i], {true, 1, round, i}, planes);
  }
  contender.rates.push_back(static_cast<double>(photos.size()) / (cpu_seconds() - start));
}

Contender ours(const std::string& name, ItemMaker& maker) {
  return {name, [&maker](const Bytes& jpeg, const Draw& draw, std::vector<float>& planes) {
            maker.make({jpeg, Encoding::jpeg, 0, 3, 0, 0}, draw, planes);
          }};
}

}  // namespace

int main(int argc, char** argv) {
  cv::setNumThreads(1);
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 15;
  const auto photos = argc > 2 ? read_photos(argc, argv) : generated_photos();
  double bytes = 0;
  for (const auto& photo : photos) {
    bytes += static_cast<double>(photo.size()) / static_cast<double>(photos.size());
  }
  OpenCvItem opencv;
  ItemMaker exact(256, 224, 3, {.fast = false, .partial = false});
  ItemMaker fast(256, 224, 3, {.fast = true, .partial = false});
  ItemMaker partial(256, 224, 3, {.fast = false, .partial = true});
  ItemMaker both(256, 224, 3, {.fast = true, .partial = true});
  std::array contenders = {
      Contender{"OpenCV imdecode, resize, crop, split, convertTo",
                [&](const Bytes& jpeg, const Draw& draw, std::vector<float>& planes) {
                  opencv.make(jpeg, draw, planes);
                }},
      Contender{"libjpeg-turbo, then OpenCV",
                [&](const Bytes& jpeg, const Draw& draw, std::vector<float>& planes) {
                  opencv.make_from_libjpeg(jpeg, draw, planes);
                }},
      ours("ours, whole image, exact DCT", exact),
      ours("ours, whole image, fast DCT and upsampling", fast),
      ours("ours, only the crop, exact DCT (the default)", partial),
      ours("ours, only the crop, fast DCT and upsampling", both)};
  for (int round = 0; round < rounds; ++round) {
    for (auto& contender : contenders) {
      run_round(contender, photos, static_cast<std::uint64_t>(round));
    }
  }
  fmt::print("{} JPEGs of {:.1f} kB on average, {} rounds, one core, CPU time, medians\n",
             photos.size(),
             bytes / 1e3,
             rounds);
  for (const auto& contender : contenders) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < contender.rates.size(); ++i) {
      ratios.push_back(contender.rates[i] / contenders[0].rates[i]);
    }
    fmt::print("{:<50} {:8.1f} items/s {:7.1f} MB/s  ratio {:.2f}\n",
               contender.name,
               median(contender.rates),
               median(contender.rates) * bytes / 1e6,
               median(ratios));
  }
}
