#include "advisor/machine/batch_file.h"

#include <doctest/doctest.h>

#include "advisor/query/usage_error.h"

using namespace rightsize;

TEST_CASE("batch file: columns in any order, blanks left open, extra columns kept") {
  const auto batch = parse_batch_file(
      "id,gpus,network,gpu,precision,interconnect,nodes,batch,data\n"
      "a,16,ResNet-50,Tesla K80,FP16,\"PCIe; 25GbE\",2,32,real\n"
      "b,,AlexNet,none (CPU),,,,,\n",
      "rows.csv");
  REQUIRE(batch.rows.size() == 2);
  const auto& first = batch.rows[0].asked;
  CHECK(batch.rows[0].mistake.empty());
  CHECK(first.network == "resnet50");
  CHECK(first.machine.gpus_per_node == 8);  // gpus counts all nodes
  CHECK(first.machine.nodes == 2);
  CHECK(first.precision == Precision::fp16);
  CHECK(first.machine.interconnect.fabric_gbit_per_s == 25);
  CHECK(first.batch == 32);
  CHECK(first.data == DataFormat::recordio);
  CHECK(batch.rows[0].cells[0] == "a");
  CHECK(parse_batch_file("network\r\nVGG16\r\n\r\n", "rows.csv").rows.size() == 1);
  const auto& second = batch.rows[1].asked;
  CHECK(second.machine.gpu.empty());
  CHECK(second.phase == Phase::train);
  CHECK_FALSE(second.batch);
}

TEST_CASE(
    "batch file: more GPUs than a machine has are taken as nodes of eight, and AlexNet by "
    "framework") {
  const auto batch = parse_batch_file(
      "network,gpu,gpus,nodes,interconnect,framework\n"
      "vgg16,V100,256,,25GbE,\n"
      "vgg16,V100,16,,,\n"
      "vgg16,V100,16,,25GbE,\n"
      "vgg16,V100,8,,25GbE,\n"
      "alexnet,K80,8,1,,TensorFlow\n"
      "alexnet,K80,8,1,,MXNet\n"
      "alexnet,K80,8,1,,\n",
      "rows.csv");
  REQUIRE(batch.rows.size() == 7);
  const auto nodes = [&](std::size_t row) { return batch.rows[row].asked.machine.nodes; };
  CHECK(nodes(0) == 32);
  CHECK(batch.rows[0].asked.machine.nodes_assumed);
  CHECK(nodes(1) == 1);  // an HGX-2 has them
  CHECK(nodes(2) == 2);
  CHECK(nodes(3) == 1);
  CHECK(batch.rows[4].asked.network == "alexnet-owt");
  CHECK(batch.rows[5].asked.network == "alexnet-mxnet");
  CHECK(batch.rows[6].asked.network == "alexnet");
}

TEST_CASE("batch file: a column that is there twice is refused") {
  CHECK_THROWS_WITH_AS(static_cast<void>(parse_batch_file("network,batch,network\n", "rows.csv")),
                       doctest::Contains("rows.csv:1:3: column \"network\" is there twice"),
                       UsageError);
  for (const auto* header : {"network,nodes,gpu,machines\n", "network,nodes,gpu,Nodes\n"}) {
    CHECK_THROWS_WITH_AS(static_cast<void>(parse_batch_file(header, "rows.csv")),
                         doctest::Contains("rows.csv:1:4: columns \"nodes\" and \""),
                         UsageError);
  }
  CHECK(parse_batch_file("Network,GPU\nresnet50,V100\n", "rows.csv").rows[0].asked.machine.gpu ==
        "V100");
}

TEST_CASE("batch file: a cell that no row reads and a job file would is refused by its place") {
  const auto batch = parse_batch_file(
      "id,network,phase,gpu,Attention,epochs,notes\n"
      "a,llama-8b,decode,H100,by_heads,,\nb,llama-8b,decode,H100,,9,fast\n",
      "rows.csv");
  REQUIRE(batch.rows.size() == 2);
  CHECK(
      batch.rows[0].mistake ==
      "rows.csv:2:5: Attention = \"by_heads\": no row reads this; ask for it in a job file, under "
      "[service], with phase = \"decode\" in [job]");
  CHECK(batch.rows[1].mistake == "");  // epochs change no rate
  const auto of_all = parse_batch_file("network,gpu,Global Batch\ngpt2,H100,64\n", "rows.csv");
  CHECK(of_all.rows[0].mistake ==
        "rows.csv:2:3: Global Batch = \"64\": no row reads this; say batch, of each GPU, and "
        "accumulate");
  const auto said = parse_batch_file(
      "model,GPU,Number of GPUs,num nodes,Batch size per GPU,Mixed precision,Seq length,"
      "Gradient checkpointing\nllama-1b,H100,16,2,1,bf16,4096,yes\n",
      "rows.csv");
  const auto& asked = said.rows[0].asked;
  CHECK(asked.machine.gpus() == 16);
  CHECK(asked.machine.nodes == 2);
  CHECK(asked.batch == 1);
  CHECK(asked.precision == Precision::bf16);
  CHECK(asked.sequence == 4096);
  CHECK(asked.recompute == true);
  const auto own = parse_batch_file("network,phase,weights\nllama-8b,decode,own\n", "rows.csv");
  CHECK(own.rows[0].mistake == "");
  const auto loaded = parse_batch_file("network,gpu,qps\nresnet50,T4,5\n", "rows.csv");
  CHECK(loaded.rows[0].mistake.ends_with("in a job file, under [service]"));
}

TEST_CASE("batch file: a sequence of 0 is the network's own, as of --sequence") {
  const auto batch =
      parse_batch_file("network,sequence\nbert-base,0\nbert-base,128\nbert-base,-1\n", "rows.csv");
  REQUIRE(batch.rows.size() == 3);
  CHECK(batch.rows[0].mistake.empty());
  CHECK(batch.rows[0].asked.sequence == 0);
  CHECK(batch.rows[1].asked.sequence == 128);
  CHECK(batch.rows[2].mistake.find("sequence = \"-1\": expected tokens per item") !=
        std::string::npos);
}

TEST_CASE("batch file: a bad cell spoils its row and names file, line and column") {
  const auto batch = parse_batch_file(
      "network,batch,gpu,gpus,nodes\nresnet50,many,V100,1,1\nresnet50,8,V100,6,4\n"
      "resnet50,8,V100,1,1\n",
      "rows.csv");
  CHECK(batch.rows[0].mistake.find("rows.csv:2:2: batch = \"many\": expected a whole number") == 0);
  CHECK(batch.rows[1].mistake.find("cannot be shared evenly by 4 nodes") != std::string::npos);
  CHECK(batch.rows[2].mistake.empty());
}

TEST_CASE("batch file: a word that means nothing is refused with those that are understood") {
  const auto batch = parse_batch_file(
      "network,phase,precision,data,interconnect,exchange\n"
      "resnet50,restrained,,,,\n"
      "resnet50,,clamp,,,\n"
      "resnet50,,,surreal,,\n"
      "resnet50,,,,somehow,\n"
      "resnet50,,,,,another device\n"
      "resnet50,training,AMP,ImageNet (TFRecord),consolidated,dist_device_sync\n",
      "rows.csv");
  REQUIRE(batch.rows.size() == 6);
  const auto says = [&](std::size_t row, const char* words) {
    return batch.rows.at(row).mistake.find(words) != std::string::npos;
  };
  CHECK(batch.rows[0].mistake.starts_with(
      "rows.csv:2:2: phase = \"restrained\": expected words such as train, training, "));
  CHECK(says(0, "inference"));
  CHECK(says(0, "did you mean \"trained\"?"));
  CHECK(says(1, "rows.csv:3:3: precision = \"clamp\": expected words such as fp32, tf32, fp16, "));
  CHECK(says(2, "rows.csv:4:4: data = \"surreal\": expected words such as synthetic, jpeg, "));
  CHECK(says(3, "rows.csv:5:5: interconnect = \"somehow\": expected links such as"));
  CHECK(says(4, "rows.csv:6:6: exchange = \"another device\": expected local, device, nccl"));
  CHECK(batch.rows[5].mistake.empty());
  CHECK(batch.rows[5].asked.data == DataFormat::tfrecord);
  CHECK(batch.rows[5].asked.exchange == Exchange::device);
  CHECK(batch.rows[5].asked.parameter_server);
}

TEST_CASE("batch file: a file that is no such table is refused with its place") {
  const auto refused = [](const char* text) -> std::string {
    try {
      static_cast<void>(parse_batch_file(text, "rows.csv"));
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(refused("gpu,batch\nV100,8\n").find("rows.csv:1:1: no column \"network\"") == 0);
  CHECK(refused("network,batch\n\"resnet50,8\n").find("rows.csv:2") == 0);
  CHECK(refused("").find("rows.csv") == 0);
}

TEST_CASE("batch file: a row of another length is spoilt, the rest is read") {
  const auto batch = parse_batch_file(
      "network,batch\nresnet50\nvgg16,8\nalexnet,8,9\n\"vgg16\"x,8\nvgg16,9\n", "rows.csv");
  REQUIRE(batch.rows.size() == 5);
  CHECK(batch.rows[3].mistake.find("rows.csv:5: \"x\" behind a closed quote") == 0);
  CHECK(batch.rows[4].asked.batch == 9);
  CHECK(batch.rows[4].line == 6);
  CHECK(batch.rows[0].mistake == "rows.csv:2: 1 field, the header has 2");
  CHECK(batch.rows[0].cells == std::vector<std::string>{"resnet50", ""});
  CHECK(batch.rows[1].mistake.empty());
  CHECK(batch.rows[1].asked.network == "vgg16");
  CHECK(batch.rows[2].mistake == "rows.csv:4: 3 fields, the header has 2");
  CHECK(batch.rows[2].cells.size() == 2);
}

TEST_CASE("batch file: a spreadsheet's byte order mark, blanks and semicolons are read") {
  const auto batch = parse_batch_file(
      "\xef\xbb\xbfnetwork ; batch;interconnect\r\nresnet50;8;\"NVLink; 25GbE\"\r\n"
      "vgg16;16;PCIe, 10GbE\r\n",
      "rows.csv");
  REQUIRE(batch.rows.size() == 2);
  CHECK(batch.header == std::vector<std::string>{"network", "batch", "interconnect"});
  CHECK(batch.rows[0].mistake.empty());
  CHECK(batch.rows[0].asked.batch == 8);
  CHECK(batch.rows[0].asked.machine.interconnect.fabric_gbit_per_s == 25);
  CHECK(batch.rows[1].cells[2] == "PCIe, 10GbE");
}

TEST_CASE(
    "batch file: a column that looks mistyped is named, others are carried through in peace") {
  const auto batch = parse_batch_file(
      "id,network,Batchsiez,notes,date,gpsu,cost\n"
      "1,ResNet-50,64,first try,2026-01-02,8,3.2\n"
      "2,ResNet-50,,again,2026-01-03,,4\n",
      "rows.csv");
  REQUIRE(batch.mistyped.size() == 2);
  CHECK(batch.mistyped[0].name == "Batchsiez");
  CHECK(batch.mistyped[0].meant == "batch_size");
  CHECK(batch.mistyped[1].name == "gpsu");
  CHECK(batch.mistyped[1].meant == "gpus");
  CHECK(batch.rows[0].cells[2] == "64");
  CHECK_FALSE(batch.rows[0].asked.batch);
  // The same word beside the column that it is near to is somebody's own.
  CHECK(parse_batch_file("network,batch,batchs\nvgg16,8,9\n", "rows.csv").mistyped.empty());
}

TEST_CASE("batch file: headings are read without regard to case, spaces and underscores") {
  const auto batch = parse_batch_file(
      "Network,GPU,Batch Size,Num GPUs\nresnet50,T4,64,4\nresnet50,T4,many,4\n", "rows.csv");
  REQUIRE(batch.rows.size() == 2);
  CHECK(batch.mistyped.empty());
  CHECK(batch.rows[0].asked.batch == 64);
  CHECK(batch.rows[0].asked.machine.gpus() == 4);
  CHECK(batch.rows[1].mistake.find("rows.csv:3:3: Batch Size = \"many\": expected") == 0);
}

TEST_CASE("batch file: one bad cell does not hide that a column is not read") {
  const auto batch = parse_batch_file(
      "network,gpu,Batchsiez\nresnet50,T4,64\nresnet50,T4,many\nresnet50,T4,32\n", "rows.csv");
  REQUIRE(batch.mistyped.size() == 1);
  CHECK(batch.mistyped[0].meant == "batch_size");
}

TEST_CASE("batch file: bytes that are no text are refused, with the line, before JSON has them") {
  CHECK_THROWS_WITH_AS(
      static_cast<void>(parse_batch_file("network,remark\nvgg16,ok\nvgg16,B\xfcro\n", "rows.csv")),
      doctest::Contains("rows.csv:3: not UTF-8"),
      UsageError);
  CHECK(parse_batch_file("network,remark\rvgg16,x\rresnet50,y\r", "rows.csv").rows.size() == 2);
}
