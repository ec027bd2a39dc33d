// The folder of job files that is served: nothing outside it is read because a request says so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rightsize::http {

// Throws UsageError where the value of the parameter `where`, or what stands behind one of its "="
// and commas, is a path that begins at the root or at home, or that climbs ("..").
void check_inside(std::string_view value, std::string_view where);

// The same of the files that a job's text names: of networks.
void check_job_inside(const std::string& job);

// The job files of the folder and of those in it, by their paths from there and by the alphabet;
// not those whose names begin with a dot. Looks at a few thousand files and no further.
[[nodiscard]] std::vector<std::string> job_files(const std::string& folder);

}  // namespace rightsize::http
