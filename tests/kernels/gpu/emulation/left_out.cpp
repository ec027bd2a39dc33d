// Stands in for the tests of the emulated kernels where they cannot be built.
#include <doctest/doctest.h>

TEST_CASE("emulated kernels: need CUDA's headers and Boost.Context" * doctest::skip()) {}
