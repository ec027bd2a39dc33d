#include "profiler/measure/fleeting_file.h"

#include <fstream>

#include <doctest/doctest.h>

#include "support/temporary_folder.h"

using namespace rightsize;

TEST_CASE("fleeting file: nothing where there is nothing to read") {
  const TemporaryFolder folder;
  CHECK(readable_text(folder.path()).empty());
  CHECK(readable_text(folder.path() + "/none").empty());
  std::ofstream(folder.path() + "/some") << "text";
  CHECK(readable_text(folder.path() + "/some") == "text");
}
