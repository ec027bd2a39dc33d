// Up to how many vCPUs contention beyond those measured grows (host_cpu.h): the 256 of the largest
// machine whose published rate the law is held against (loader_cost() of advisor/candidate/
// cpu_law.h). Beyond, each further one does what each did there on average: the law's constant is
// assumed, and carried on would have it that 1 / constant, 200 of them, are the most there can be.
#pragma once

namespace rightsize {

inline constexpr double most_cpus_published = 256;

}  // namespace rightsize
