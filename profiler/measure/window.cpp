#include "profiler/measure/window.h"

#include "profiler/json_fields.h"

namespace rightsize {

template <typename Visitor, typename Value>
static void visit_window(Visitor& field, Value& window) {
  field("items", window.items);
  field("seconds", window.seconds);
  field("warmup", window.warmup);
  field("epoch", window.epoch);
  field("epochs_done", window.epochs_done);
  field("cpu_s", window.cpu_s);
  field("bytes_requested", window.bytes_requested);
  field("disk_read_bytes", window.disk_read_bytes);
  field("disk_written_bytes", window.disk_written_bytes);
  field("read_s", window.stages.read);
  field("decode_s", window.stages.decode);
  field("augment_s", window.stages.augment);
  field("copy_s", window.stages.copy);
  field("compute_s", window.stages.compute);
  field("wait_s", window.stages.wait);
  field("write_s", window.stages.write);
  field.optional("exchange_s", window.stages.exchange);
  field("step_s", window.step_s);
  field("first_loss", window.first_loss);
  field("last_loss", window.last_loss);
  field.optional("latency_s", window.latency_s);
  field.optional("come", window.come);
  field.optional("waiting", window.waiting);
  field.optional("busy_s", window.busy_s);
}

boost::json::object to_json(const RunWindow& window) {
  FieldWriter writer;
  visit_window(writer, window);
  return writer.take();
}

RunWindow window_from_json(const boost::json::object& object) {
  RunWindow window;
  const FieldReader reader(object, "window");
  visit_window(reader, window);
  return window;
}

}  // namespace rightsize
