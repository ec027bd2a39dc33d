// Headings and cells of tables that programs which train write.
#include <string>

#include <doctest/doctest.h>

#include "advisor/machine/batch_file.h"

using namespace rightsize;

namespace {

BatchRow row(const std::string& headings, const std::string& cells) {
  return parse_batch_file("network,gpu,gpus," + headings + "\nllama-8b,H100,16," + cells + "\n",
                          "rows.csv")
      .rows.at(0);
}

std::string mistake(const std::string& headings, const std::string& cells) {
  return row(headings, cells).mistake;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("batch headings: a GPU's batch by the names of common trainers") {
  for (const auto* heading : {"per_device_train_batch_size",
                              "per_gpu_train_batch_size",
                              "train_micro_batch_size_per_gpu",
                              "per_gpu_batch_size",
                              "batch_per_device",
                              "bs"}) {
    CAPTURE(heading);
    CHECK(row(heading, "2").asked.batch == 2);
  }
}

TEST_CASE("batch headings: how GPUs share a network, by Megatron's and vLLM's names") {
  const auto asked =
      row("tensor_model_parallel_size,pipeline_model_parallel_size,expert_model_parallel_size,"
          "context_parallel_size,virtual_pipeline_model_parallel_size,nnodes",
          "2,4,8,2,None,2")
          .asked;
  CHECK(asked.tensor_parallel == 2);
  CHECK(asked.pipeline_parallel == 4);
  CHECK(asked.expert_parallel == 8);
  CHECK(asked.context_parallel == 2);
  CHECK(asked.virtual_pipeline == 1);
  CHECK(asked.machine.nodes == 2);
  CHECK(row("tensor_parallel_size", "none").asked.tensor_parallel == 1);
}

TEST_CASE("batch headings: what says again what the row says, or nothing, spoils no row") {
  for (const auto* said : {"gpus_per_node,nodes/8,2",
                           "batch,accumulate,global_batch_size/4,2,128",
                           "batch,train_batch_size/4,64",
                           "batch,train_batch_size/4,",
                           "batch,micro_batch_size/4,4",
                           "world_size/16",
                           "tp,data_parallel_size/4,4",
                           "sequence,max_length/2048,2048",
                           "exchange,fsdp/sharded,full_shard auto_wrap",
                           "exchange,zero/sharded,stage 3",
                           "exchange,zero_stage/zero3,3",
                           "fsdp/false",
                           "fsdp/None",
                           "zero_stage/0",
                           "lora_rank/0",
                           "adapter,lora_r/lora:16,16",
                           "adapter,load_in_4bit/qlora:16,True",
                           "load_in_4bit/False",
                           "load_in_8bit/False",
                           "precision,bf16,fp16/bf16,True,False",
                           "adapter/None",
                           "lora/false",
                           "weights/none"}) {
    CAPTURE(said);
    const std::string text = said;
    const auto slash = text.find('/');
    CHECK(mistake(text.substr(0, slash), text.substr(slash + 1)) == "");
  }
}

TEST_CASE("batch headings: what is against the row, or not read, spoils it with the reason") {
  CHECK(mistake("gpus_per_node,nodes", "4,2") ==
        "rows.csv:2:4: gpus_per_node = \"4\": no row reads this, and 16 GPUs on 2 nodes are 8 of "
        "each; say gpus, of all nodes together, and nodes");
  CHECK(holds(mistake("batch,train_batch_size", "4,4"), "batch 4 x 16 x 1 accumulated is 64; say"));
  CHECK(holds(mistake("train_batch_size", "64"), "no row reads this; say batch, of each GPU"));
  CHECK(holds(mistake("batch,pp,micro_batch", "4,4,1"), "no row reads this; say batch"));
  CHECK(holds(mistake("world_size", "8"), "there are 16 GPUs; say gpus"));
  CHECK(holds(mistake("fsdp", "true"), "no row reads this; say exchange, sharded"));
  CHECK(holds(mistake("zero_stage", "2"), "stages 1 and 2, which divide state alone"));
  CHECK(holds(mistake("exchange,zero", "sharded,1"), "and exchange is sharded; say"));
  CHECK(holds(mistake("lora_r", "16"), "say adapter, such as lora:16"));
  CHECK(holds(mistake("adapter,lora_r", "lora:16,8"), "and adapter is lora:16; say"));
  CHECK(holds(mistake("adapter,load_in_4bit", "qlora:16,false"), "and adapter is qlora:16"));
  CHECK(holds(mistake("load_in_8bit", "true"), "one in 4 is"));
  CHECK(holds(mistake("bf16", "true"), "no row reads this; say precision, bf16"));
  CHECK(holds(mistake("data_parallel_size,tp", "16,4"), "16 GPUs, 4 a copy, have 4; say gpus"));
}

TEST_CASE("batch headings: a machine by its name is told to be unread where nothing else is said") {
  const auto alone = [](const std::string& heading) {
    return parse_batch_file("network," + heading + "\nresnet50,aws/g5.xlarge\n", "rows.csv")
        .rows.at(0)
        .mistake;
  };
  CHECK(holds(alone("machine"), "rows.csv:2:2: machine = \"aws/g5.xlarge\": no row reads this"));
  CHECK(holds(alone("instance_type"), "rightsize predict --machine NAME"));
  CHECK(mistake("machine", "the old one").empty());  // beside its GPUs a label
}

TEST_CASE("batch headings: mixed precision of no is none") {
  for (const auto* no : {"no", "No", "false"}) {
    CHECK(mistake("mixed_precision", no) == "");
    CHECK(row("mixed_precision", no).asked.precision == Precision::fp32);
  }
  CHECK(row("mixed_precision", "bf16").asked.precision == Precision::bf16);
  CHECK(holds(mistake("mixed_precision", "yes"), "expected which: fp16 or bf16"));
}

TEST_CASE("batch headings: one that is known and not read is no mistyped one") {
  CHECK(parse_batch_file("network,max_length,lora_r\ngpt2,,\n", "rows.csv").mistyped.empty());
}
