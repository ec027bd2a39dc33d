// A queue in order of arrival before `servers` equal servers: a disk's transfers (one), its seeks
// (as many as the queue is deep), the machines of a fleet. Each actor has one request at a time.
#pragma once

#include <cassert>
#include <cstddef>
#include <vector>

#include "models/simulate/time.h"
#include "models/simulate/timers.h"

namespace rightsize::simulate {

class Station {
 public:
  // Room for `actors` requests, waiting and in service.
  Station(std::size_t servers, std::size_t actors)
      : in_service_(servers > 0 ? servers : 1), waiting_(actors > 0 ? actors : 1), ends_(servers) {
    for (std::size_t server = in_service_.size(); server > 0; --server) {
      idle_.push_back(server - 1);
    }
  }

  void start(Nanoseconds now, std::size_t actor, Nanoseconds service) {
    const Request request{actor, service};
    if (!idle_.empty()) {
      const auto server = idle_.back();
      idle_.pop_back();
      serve(now, server, request);
      return;
    }
    assert(queued_ < waiting_.size());
    std::size_t place = head_ + queued_++;
    place -= place >= waiting_.size() ? waiting_.size() : 0;
    waiting_[place] = request;
  }

  // When the next request is done; never when there is none.
  [[nodiscard]] Nanoseconds next() const { return ends_.due(); }

  // Ends the request that is due at `now` and returns its actor.
  [[nodiscard]] std::size_t complete(Nanoseconds now) {
    assert(now == ends_.due());
    const auto server = ends_.first();
    const auto actor = in_service_[server];
    if (queued_ == 0) {
      ends_.set(server, never);
      idle_.push_back(server);
      return actor;
    }
    const Request request = waiting_[head_];
    head_ = head_ + 1 == waiting_.size() ? 0 : head_ + 1;
    --queued_;
    serve(now, server, request);
    return actor;
  }

  // Of all servers together, counted when service begins.
  [[nodiscard]] double busy_seconds() const { return to_seconds(busy_); }
  [[nodiscard]] std::size_t present() const {  // waiting and in service
    return queued_ + in_service_.size() - idle_.size();
  }

 private:
  struct Request {
    std::size_t actor = 0;
    Nanoseconds service = 0;
  };

  void serve(Nanoseconds now, std::size_t server, const Request& request) {
    in_service_[server] = request.actor;
    busy_ += request.service;
    ends_.set(server, now + request.service);
  }

  std::vector<std::size_t> in_service_;  // by server: the actor
  std::vector<std::size_t> idle_;
  std::vector<Request> waiting_;  // a ring
  std::size_t head_ = 0;
  std::size_t queued_ = 0;
  Timers ends_;
  Nanoseconds busy_ = 0;
};

}  // namespace rightsize::simulate
