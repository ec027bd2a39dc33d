#include "models/laws/interconnect.h"

#include <string>
#include <tuple>

#include <doctest/doctest.h>

#include "support/approx.h"

using namespace rightsize;

TEST_CASE("interconnect: what people write for links within a node") {
  CHECK(parse_interconnect("NVLink")->link == NodeLink::nvlink);
  CHECK(parse_interconnect("NVSwitch (DGX-2)")->link == NodeLink::nvlink);
  const auto pcie = parse_interconnect("PCIe 3.0 x16");
  CHECK(pcie->link == NodeLink::host);
  CHECK(pcie->link_bytes_per_s == test::approx(15.75e9));
  CHECK_FALSE(pcie->fabric);
  CHECK(parse_interconnect("PCIe 4.0 x8")->link_bytes_per_s == test::approx(15.75e9));
  CHECK(parse_interconnect("pcie gen5")->link_bytes_per_s == test::approx(63e9));
  CHECK(parse_interconnect("PCIe p2p")->link == NodeLink::peer);
}

TEST_CASE("interconnect: what people write for networks between nodes") {
  const auto both = parse_interconnect("nvlink; 10GbE");
  CHECK(both->link == NodeLink::nvlink);
  CHECK(both->fabric == Fabric::ethernet);
  CHECK(both->fabric_gbit_per_s == 10);
  const auto ib = parse_interconnect("InfiniBand 100 Gb/s");
  CHECK(ib->fabric == Fabric::infiniband);
  CHECK(ib->fabric_gbit_per_s == 100);
  CHECK(parse_interconnect("ib:200")->fabric_gbit_per_s == 200);
  CHECK_FALSE(parse_interconnect("ib:0"));
  CHECK_FALSE(parse_interconnect("nvlink; ethernet:0"));
  for (const auto* impossible : {"ib:-100",
                                 "ethernet:-25",
                                 "ib:nan",
                                 "ib:1e9",
                                 "ib:",
                                 "NVLink; InfiniBand -100",
                                 "-25GbE",
                                 "0GbE",
                                 "0 Gb/s",
                                 "pcie 9.0 x64",
                                 "pcie -4.0 x16"}) {
    CAPTURE(impossible);
    CHECK_FALSE(parse_interconnect(impossible));
  }
  CHECK(parse_interconnect("NVLink + 8x HDR InfiniBand")->fabric == Fabric::infiniband);
  CHECK(parse_interconnect("NVSwitch; 8x HDR InfiniBand")->fabric_gbit_per_s == 1600);
  CHECK(parse_interconnect("NVLink, 8x200Gb/s InfiniBand")->fabric_gbit_per_s == 1600);
  CHECK(parse_interconnect("IB EDR")->fabric_gbit_per_s == 100);
  CHECK(parse_interconnect("RoCE")->fabric == Fabric::roce);
  CHECK(parse_interconnect("AWS EFA")->fabric == Fabric::efa);
  CHECK(parse_interconnect("25 Gbit/s")->fabric == Fabric::ethernet);
}

TEST_CASE("interconnect: bytes are eight bits, and a link's own speed is no network's") {
  CHECK(parse_interconnect("InfiniBand 25 GB/s")->fabric_gbit_per_s == 200);
  CHECK(parse_interconnect("InfiniBand 25 Gb/s")->fabric_gbit_per_s == 25);
  CHECK(parse_interconnect("12.5GBps")->fabric_gbit_per_s == 100);
  CHECK(parse_interconnect("InfiniBand 0.4 TB/s")->fabric_gbit_per_s == 3200);
  CHECK(parse_interconnect("InfiniBand 0.4 Tb/s")->fabric_gbit_per_s == 400);
  CHECK(parse_interconnect("Ethernet 1250 MB/s")->fabric_gbit_per_s == test::approx(10));
  CHECK(parse_interconnect("Ethernet 1250MBps")->fabric_gbit_per_s == test::approx(10));
  for (const auto* link :
       {"NVLink 50GB/s", "NVLink 600 GB/s", "NVLink 1.8 TB/s", "PCIe 4.0 x16 64 GB/s"}) {
    CAPTURE(link);
    CHECK_FALSE(parse_interconnect(link)->fabric);
  }
  CHECK(parse_interconnect("PCIe 4.0 x16 64 GB/s")->link_bytes_per_s == test::approx(31.5e9));
  CHECK(parse_interconnect("NVLink 600GB/s, 25 Gb/s network")->fabric_gbit_per_s == 25);
}

TEST_CASE(
    "interconnect: a speed is the number that a unit follows, or that a network's word leads") {
  const auto gbit = [](const char* text) { return parse_interconnect(text)->fabric_gbit_per_s; };
  CHECK(gbit("2 x 100GbE") == 200);
  CHECK(gbit("2x100GbE") == 200);
  CHECK(gbit("EFA 3.2Tbps") == 3200);
  CHECK(gbit("EFA: 3200 Gbps") == 3200);
  CHECK(gbit("4 x 200 Gb/s HDR InfiniBand") == 800);
  CHECK(gbit("ConnectX-6 100Gb/s") == 100);
  CHECK(gbit("HDR InfiniBand (ConnectX-6)") == 200);
  CHECK(gbit("infiniband: 8 x NDR") == 3200);
  CHECK(gbit("8xHDR") == 1600);
  CHECK(gbit("ib:HDR") == 200);
  CHECK(gbit("InfiniBand: EDR") == 100);
  CHECK(gbit("DGX-2 InfiniBand") == 0);
  CHECK(gbit("RoCEv2 100") == 100);
  CHECK(gbit("10 gigabytes/s ethernet") == 80);
  CHECK(gbit("10 Gigabit Ethernet") == 10);
  CHECK(gbit("1000 Mbps Ethernet") == test::approx(1));
  CHECK(parse_interconnect("PCIe: Gen4 x16"));
  CHECK(parse_interconnect("PCIe 4.0 - x16")->link_bytes_per_s == test::approx(31.5e9));
  CHECK(parse_interconnect("NVSwitch: full mesh")->link == NodeLink::nvlink);
  CHECK_FALSE(parse_interconnect("99999GbE"));
  CHECK_FALSE(parse_interconnect("infiniband 70000 Gb/s"));
}

TEST_CASE("interconnect: digits of instance names are not rates") {
  const auto words = parse_interconnect("PCIe (p2.16xlarge) + EC2 network");
  CHECK(words->link_bytes_per_s == 0);  // of the GPU's time
  CHECK(words->fabric == Fabric::ethernet);
  CHECK(words->fabric_gbit_per_s == 0);
}

TEST_CASE("interconnect: a word inside another word is not that word") {
  CHECK_FALSE(parse_interconnect("default"));   // no EFA
  CHECK_FALSE(parse_interconnect("together"));  // no Ethernet
  CHECK_FALSE(parse_interconnect("method"));
  CHECK(parse_interconnect("NVLink, default")->link == NodeLink::nvlink);
  CHECK_FALSE(parse_interconnect("NVLink, default")->fabric);
  CHECK(parse_interconnect("RoCEv2 100")->fabric == Fabric::roce);
  CHECK(parse_interconnect("8xHDR")->fabric == Fabric::infiniband);
  CHECK(parse_interconnect("SXM2")->link == NodeLink::nvlink);
  CHECK(parse_interconnect("100Gbps")->fabric == Fabric::ethernet);
  CHECK(parse_interconnect("400 Gb/s")->fabric == Fabric::roce);
  CHECK(parse_interconnect("Ethernet 400 Gb/s")->fabric == Fabric::ethernet);
  CHECK(unread_interconnect("PCIe; Cray Aries") == "cray aries");
  CHECK(unread_interconnect("NVLink and foo , bar; ib:100") == "foo; bar");
  CHECK(unread_interconnect("NVSwitch; 8x HDR InfiniBand").empty());
  CHECK(unread_interconnect("").empty());
}

TEST_CASE("interconnect: lanes are read with and without a generation") {
  CHECK(parse_interconnect("pcie x8")->link_bytes_per_s == test::approx(15.75e9 / 2));
  CHECK(parse_interconnect("PCIe 3x8")->link_bytes_per_s == test::approx(15.75e9 / 2));
  CHECK(parse_interconnect("PCI-Express x4")->link_bytes_per_s == test::approx(15.75e9 / 4));
}

TEST_CASE("interconnect: blank says nothing, nonsense is not understood") {
  CHECK(parse_interconnect(""));
  CHECK_FALSE(parse_interconnect("")->link);
  CHECK_FALSE(parse_interconnect("bananas"));
}

TEST_CASE("interconnect: what is not said is the GPU's usual, and is called assumed") {
  GpuSpec a100;
  a100.name = "A100";
  a100.arch = "Ampere";
  a100.link_gbs = 600;
  const auto usual = interconnect_of({}, a100, 8, 2);
  CHECK(usual.link == NodeLink::nvlink);
  CHECK(usual.fabric == Fabric::infiniband);
  CHECK(usual.assumed);
  const auto stated = interconnect_of(*parse_interconnect("pcie; ethernet 25"), a100, 8, 2);
  CHECK(stated.link == NodeLink::host);
  CHECK_FALSE(stated.assumed);
  CHECK(stated.fabric_bytes_per_s < usual.fabric_bytes_per_s);
  CHECK(stated.text.find("sockets") == std::string::npos);
  // Sockets pass no more, however fast the line.
  const auto fast = interconnect_of(*parse_interconnect("pcie; ethernet 100"), a100, 8, 2);
  const auto faster = interconnect_of(*parse_interconnect("pcie; ethernet 200"), a100, 8, 2);
  CHECK(fast.fabric_bytes_per_s == faster.fabric_bytes_per_s);
  CHECK(faster.text.find("200 Gb/s a node, of which its sockets pass 4 GB/s") != std::string::npos);
}

TEST_CASE("interconnect: EFA is called EFA, and counted as RoCE is") {
  GpuSpec a100;
  a100.name = "A100";
  a100.arch = "Ampere";
  a100.link_gbs = 600;
  const auto efa = interconnect_of(*parse_interconnect("efa:400"), a100, 8, 2);
  const auto roce = interconnect_of(*parse_interconnect("roce:400"), a100, 8, 2);
  CHECK(efa.text.find("EFA 400 Gb/s") != std::string::npos);
  CHECK(efa.fabric_bytes_per_s == roce.fabric_bytes_per_s);
  const auto tcpx = interconnect_of(*parse_interconnect("tcpx:400"), a100, 8, 2);
  CHECK(tcpx.text.find("GPUDirect-TCPX 400 Gb/s") != std::string::npos);
  CHECK(tcpx.fabric_bytes_per_s == roce.fabric_bytes_per_s);
  // A3 High's, where nothing is said; what is said without a speed is assumed of it.
  const auto usual = interconnect_of(*parse_interconnect("nvlink; tcpx"), a100, 8, 2);
  CHECK(usual.text.find("GPUDirect-TCPX 800 Gb/s") != std::string::npos);
  CHECK(usual.assumed);
  CHECK_FALSE(interconnect_of(*parse_interconnect("nvlink; tcpx:800"), a100, 8, 2).assumed);
  CHECK(efa.fabric_latency_s == roce.fabric_latency_s);
}

TEST_CASE("interconnect: half the lanes halve a GPU's link, and leave its host as it is") {
  GpuSpec gpu;
  gpu.name = "RTX-4090";
  gpu.arch = "Ada";
  const auto of = [&](const char* words) {
    return interconnect_of(*parse_interconnect(words), gpu, 4, 1);
  };
  CHECK(of("pcie 4.0 x8").host_speed == of("pcie 4.0 x16").host_speed);
  CHECK(of("pcie 4.0 x8").link_bytes_per_s ==
        test::approx(of("pcie 4.0 x16").link_bytes_per_s / 2));
  CHECK(of("pcie x8").host_speed == of("pcie").host_speed);  // of the GPU's time
  CHECK(of("pcie 3.0 x16").host_speed < of("pcie 4.0 x8").host_speed);
  CHECK(parse_interconnect("PCIe gen5 x8")->pcie_generation == 5);
  CHECK(parse_interconnect("PCIe x8")->pcie_generation == 0);
}

TEST_CASE("interconnect: a network carries what the GPUs' own links bring to it") {
  GpuSpec l40s;
  l40s.name = "L40S";
  l40s.arch = "Ada";
  const auto alone = [&](const char* words) {
    return interconnect_of(*parse_interconnect(words), l40s, 1, 8).fabric_bytes_per_s;
  };
  CHECK(alone("ib:100") == test::approx(0.9 * 12.5e9));
  CHECK(alone("ib:400") < 31.5e9);
  CHECK(alone("ib:3200") == alone("ib:400"));
  CHECK(alone("pcie 4.0 x8; ib:400") == test::approx(alone("ib:400") / 2));
  const auto held = interconnect_of(*parse_interconnect("ib:400"), l40s, 1, 8);
  CHECK(held.text.find("of which the PCIe of its GPUs passes 25 GB/s") != std::string::npos);
  // A card of its own for every GPU, as machines are sold: each is filled.
  for (const auto& [name, arch, gbit] : {std::tuple{"A100", "Ampere", 200.0},
                                         std::tuple{"H100", "Hopper", 400.0},
                                         std::tuple{"B300", "Blackwell", 800.0}}) {
    CAPTURE(name);
    GpuSpec gpu;
    gpu.name = name;
    gpu.arch = arch;
    gpu.link_gbs = 900;
    InterconnectWords words;
    words.fabric = Fabric::infiniband;
    words.fabric_gbit_per_s = 8 * gbit;
    CHECK(interconnect_of(words, gpu, 8, 2).fabric_bytes_per_s == test::approx(0.9 * gbit * 1e9));
  }
}
