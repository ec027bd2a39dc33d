#include "profiler/limits.h"

#include "profiler/json_fields.h"

namespace rightsize {
namespace {

template <typename Visitor, typename Value>
void visit(Visitor& field, Value& limits) {
  field("cpus", limits.cpus);
  field("memory_bytes", limits.memory_bytes);
  field("disk_read_bytes_per_s", limits.disk_read_bytes_per_s);
  field("disk_write_bytes_per_s", limits.disk_write_bytes_per_s);
  field("disk_read_iops", limits.disk_read_iops);
  field("disk_write_iops", limits.disk_write_iops);
  field("isa", limits.isa);
  field.optional("gpu_memory_bytes", limits.gpu_memory_bytes);
  field.optional("gpu_share", limits.gpu_share);
}

}  // namespace

boost::json::object to_json(const Limits& limits) {
  FieldWriter writer;
  visit(writer, limits);
  return writer.take();
}

Limits limits_from_json(const boost::json::object& object) {
  Limits limits;
  const FieldReader reader(object, "limits");
  visit(reader, limits);
  return limits;
}

}  // namespace rightsize
