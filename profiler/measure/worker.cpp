#include "profiler/measure/worker.h"

#include <array>
#include <cerrno>
#include <new>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "profiler/exact_json.h"
#include "profiler/json_fields.h"
#include "profiler/measure/drive.h"

namespace rightsize {
namespace {

std::string read_all(int fd) {
  std::string text;
  std::array<char, 4096> chunk{};
  for (;;) {
    const auto count = read(fd, chunk.data(), chunk.size());
    if (count > 0) {
      text.append(chunk.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      return text;
    }
  }
}

// One line per event. A parent that is gone ends the worker: nobody would read the rest.
class Reporter {
 public:
  explicit Reporter(int fd) : fd_(fd) {}

  void send(std::string_view event, boost::json::object body) const {
    body["event"] = event;
    const auto line = boost::json::serialize(body) + "\n";
    for (std::size_t sent = 0; sent < line.size();) {
      const auto count = write(fd_, line.data() + sent, line.size() - sent);
      if (count < 0 && errno != EINTR) {
        _exit(1);
      }
      sent += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
  }

  int fail(std::string_view kind, const char* message) const {
    send("error", {{"kind", kind}, {"message", message}});
    return 1;
  }

 private:
  int fd_;
};

boost::json::object to_json(const TaskInfo& info) {
  FieldWriter writer;
  writer("dataset_items", info.dataset_items);
  writer("dataset_bytes", info.dataset_bytes);
  writer("loader_threads", info.loader_threads);
  writer("engine_threads", info.engine_threads);
  writer("engine_memory_bytes", info.engine_memory_bytes);
  writer("software", info.software);
  return writer.take();
}

void work(const RunSpec& spec, const TaskFactory& factory, const Reporter& reporter) {
  const auto task = factory(spec);
  reporter.send("ready", to_json(task->info()));
  SteadyClock clock;
  const auto report = [&](const RunWindow& window) { reporter.send("window", to_json(window)); };
  const auto result = drive(*task, spec.stop, clock, report, [&] { return task->counters(); });
  FieldWriter done;
  done("noisy", result.noisy);
  done("reason", result.reason);
  done("warmup_s", result.warmup_s);
  done("cold_items_per_s", result.cold_items_per_s);
  done.optional("notes", task->notes());
  reporter.send("done", done.take());
}

}  // namespace

int run_worker(int in_fd, int out_fd, const TaskFactory& factory) {
  signal(SIGPIPE, SIG_IGN);
  // A program that this worker starts must not hold its pipes open.
  fcntl(in_fd, F_SETFD, FD_CLOEXEC);
  fcntl(out_fd, F_SETFD, FD_CLOEXEC);
  const Reporter reporter(out_fd);
  try {
    const auto spec = run_spec_from_json(parse_exactly(read_all(in_fd)).value().as_object());
    work(spec, factory, reporter);
    return 0;
  } catch (const OutOfMemory& error) {
    return reporter.fail("out_of_memory", error.what());
  } catch (const EngineError& error) {
    return reporter.fail("unsupported", error.what());
  } catch (const std::bad_alloc&) {
    return reporter.fail("out_of_memory", "out of memory: an allocation failed");
  } catch (const std::exception& error) {
    return reporter.fail("failed", error.what());
  }
}

}  // namespace rightsize
