// Addresses that anybody may send: what they say comes back from our own addresses as it was, and
// what they describe is a job file that can be read, or is refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <toml++/toml.h>

#include "advisor/http/asked_job.h"
#include "advisor/http/door.h"
#include "advisor/http/served_folder.h"
#include "advisor/http/url.h"
#include "advisor/query/usage_error.h"

using namespace rightsize;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  http::Request request;
  request.target.assign(reinterpret_cast<const char*>(data), size);
  request.cookie = request.target;
  request.host = request.target;
  const auto url = http::read_target(request.target);
  if (!url) {
    return 0;
  }
  (void)http::Door{"secret", {"*"}}.turned_away(request, *url);
  const auto target = http::target_of(*url);
  const auto again = http::read_target(target);
  if (!again || again->parameters != url->parameters || target.starts_with("//")) {
    std::abort();
  }
  try {
    const auto job = http::job_with("", "job.toml", url->parameters);
    (void)toml::parse(job);
    http::check_job_inside(job);
  } catch (const UsageError&) {
  }
  return 0;
}
