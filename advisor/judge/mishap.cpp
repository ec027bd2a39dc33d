#include "advisor/judge/mishap.h"

#include <boost/math/distributions/normal.hpp>

namespace rightsize {

double deviations_at(double confidence) {
  return boost::math::quantile(boost::math::normal(), confidence);
}

}  // namespace rightsize
