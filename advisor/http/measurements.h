// What was measured: the runs of the store, some hundred at a time, one by one, and as another
// process stores them.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "advisor/http/form.h"
#include "advisor/http/message.h"
#include "advisor/http/url.h"

namespace rightsize::http {

// Whoever is told of runs as they come.
struct Listening {
  std::int64_t after = 0;  // the sequence of the last run that is known there (RecentRun)
  std::string campaign;    // empty: of all
};

// /measurements, /measurements/ID and /measurements/events, with the flags of `records list` where
// they make sense here. `last_event_id` is the header, which counts before `after` of the address.
// Throws NotFound, UsageError, StoreError.
[[nodiscard]] std::variant<Response, Listening> measurements(const Url& url,
                                                             Form form,
                                                             const std::string& last_event_id,
                                                             const std::string& store);

// What came since, as server-sent events, and `listening` brought up to it; empty: nothing. At most
// 50 runs at once: to be asked again until nothing comes. Throws StoreError.
[[nodiscard]] std::string events_since(const std::string& store, Listening& listening);

}  // namespace rightsize::http
