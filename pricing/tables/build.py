#!/usr/bin/env python3
"""Builds the shipped price tables from the collected figures, one CSV per provider.

usage: pricing/tables/build.py ../shared/data/prices

Columns are SkyPilot's catalogue (v8) plus ours; figures only, `AsOf` and `Source` on every row.
An empty field means "not published": never zero.
"""
import csv
import decimal
import fnmatch
import pathlib
import sys

data = pathlib.Path(sys.argv[1])
here = pathlib.Path(__file__).parent

COLUMNS = ["Provider", "InstanceType", "vCPUs", "MemoryGiB", "AcceleratorName", "AcceleratorCount",
           "AcceleratorMemoryGiB", "Region", "Price", "SpotPrice", "Reserved1yPrice",
           "Reserved3yPrice", "Payment", "Currency", "Arch",
           "LocalDiskGiB", "Book", "AsOf", "Source"]

# GPU names as everybody spells them -> the names of models/calibration/gpus.csv.
GPU = {
    "K80": "K80", "M60": "M60", "M40": "M40", "P100": "P100", "P4": "P4", "P40": "P40",
    "V100": "V100", "V100-16GB": "V100", "V100-32GB": "V100", "T4": "T4", "A10": "A10",
    "A10G": "A10G", "A30": "A30", "A100": "A100", "A100-80GB": "A100-80GB",
    "A100-80G-PCIe": "A100-PCIe-80GB", "A100-80G-PCIe-NVLink": "A100-PCIe-80GB",
    "L4": "L4", "L40": "L40", "L40S": "L40S", "H100": "H100", "H100-SXM": "H100",
    "H100-80G-SXM5": "H100", "H100-80G-PCIe": "H100-PCIe", "H100-80G-PCIe-NVLink": "H100-PCIe",
    "H200": "H200", "B200": "B200", "RTX PRO Server 6000": "RTX-PRO-6000",
    "RTX-PRO-6000": "RTX-PRO-6000", "RTXPRO6000": "RTX-PRO-6000",
    "a100": "A100", "a100-80gb": "A100-80GB", "h100-80gb": "H100", "h100-80gb-mega": "H100",
    "rtx6000": "RTX-PRO-6000", "l4": "L4",
}
MEMORY = {"A100": 40, "A100-80GB": 80, "A100-PCIe": 40, "A100-PCIe-80GB": 80, "H100": 80,
          "H100-PCIe": 80, "H100-NVL": 94, "L4": 24, "RTX-PRO-6000": 96, "T4": 16, "P100": 16, "P4": 8,
          "V100": 16, "V100-PCIe": 16, "K80": 12, "M60": 8}

# Machines whose card is of another form than the catalogue's word for it, which names the model only:
# NC A100 v4 "NVIDIA A100 80GB PCIe" (techcommunity.microsoft.com ba-p/3725991), NC H100 v5 "H100 NVL
# 94GB" and NCv3 "Tesla V100-PCIE-16GB" (from memory of Microsoft's pages), Lambda's gpu_1x_a100 "A100
# (40 GB PCIe)" as its API says (of two and four likewise; eight are SXM4), RunPod's as
# skypilot-org/skypilot sky/provision/runpod/utils.py maps the name. CUDO's own words for its models, as
# sky/provision/cudo/cudo_utils.py has them, say "H100 SXM" and "A100 80GB PCIe" and of the V100 no form:
# it is taken as the card, which has no NVLink, and its rows say so.
CARD = {"Standard_NC*_A100_v4": "A100-PCIe-80GB", "Standard_NC*_H100_v5": "H100-NVL",
        "Standard_NC*s_v3": "V100-PCIe", "gpu_[124]x_a100": "A100-PCIe",
        "*x_A100-80GB_SECURE": "A100-PCIe-80GB", "*-a800-pci_*": "A800-PCIe",
        "intel-broadwell-v100_*": "V100-PCIe"}
FORM_UNSAID = "intel-broadwell-v100_*"


def card(instance, gpu):
    forms = [form for pattern, form in CARD.items() if fnmatch.fnmatchcase(instance, pattern)]
    if not forms and "pci" in instance.lower():  # catalogues call both forms one name
        return {"H100": "H100-PCIe", "A100": "A100-PCIe-80GB",
                "A100-80GB": "A100-PCIe-80GB"}.get(gpu, gpu)
    return forms[0] if forms and gpu else gpu


def memory_of_one(word, gpu):
    return 32 if word == "V100-32GB" else MEMORY.get(gpu, "")


def rows(name):
    with open(data / name, newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def write(name, lines, columns=None):
    with open(here / name, "w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, columns or COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)
    print(f"{name}: {len(lines)} rows")


# Whose catalogue lists every type in every region at one price, of which one row was read: it says
# nothing of where a machine can be had (../shared/data/prices/README.md, "Caveats").
EVERYWHERE = {"oci", "lambda"}


def from_catalogue(name, as_of):
    lines = []
    for row in rows(name):
        gpu = GPU.get(row["gpu"], row["gpu"]) if row["gpu"] not in ("", "gpu") else ""
        gpu = card(row["instance_type"], gpu)
        if row["gpu"] == "gpu":
            continue  # the catalogue does not say which
        count = row["gpus"]
        price, spot = row["usd_h"], row["usd_h_spot"]
        source = row["source"]
        if row["instance_type"] == "Standard_ND96isr_H100_v5":
            count, spot = "8", ""  # 12 as read; the machine has 8, and its spot equals on-demand
            source += " (GPU count corrected from 12 to 8; spot left out: equals on-demand as read)"
        if "H100_v5" in row["instance_type"] and spot == price:
            spot = ""
        if fnmatch.fnmatchcase(row["instance_type"], FORM_UNSAID):
            source += f" (whether the {row['gpu']} is a PCIe card or an SXM2 module is not said: taken as the card)"
        region = row["region"]
        if row["provider"] in EVERYWHERE:
            source += f" (no region: all it lists have this price, {region} among them)"
            region = ""
        lines.append({
            "Provider": row["provider"], "InstanceType": row["instance_type"],
            "vCPUs": row["vcpus"], "MemoryGiB": row["mem_gib"], "AcceleratorName": gpu,
            "AcceleratorCount": count if gpu else "",
            "AcceleratorMemoryGiB": (row["gpu_mem_gib"] or memory_of_one(row["gpu"], gpu)) if gpu else "",
            "Region": region, "Price": price, "SpotPrice": spot, "Currency": "USD",
            # Grace, the host of GH200 and GB200, is Arm's; the catalogues do not say.
            "Arch": row["arch"] or ("arm64" if gpu.startswith(("GH", "GB")) else ""), "Book": "current", "AsOf": as_of,
            "Source": f"{source} @ {row['as_of']}"})
    return lines


# Machines with one GPU as their providers list them, of those that the catalogues lack or lag behind.
# Rows without vCPUs or memory say too little of a machine; a "spot" of RunPod's is dearer than its
# on-demand and is left out, as are modified cards.
OFFERED_GPU = {
    "RTX A4000": "A4000", "RTX A5000": "A5000", "RTX A6000": "A6000", "A40": "A40", "A16": "A16",
    "A30": "A30", "A10": "A10", "L4": "L4", "L40": "L40", "L40S": "L40S", "RTX 3080": "RTX-3080",
    "RTX 3090": "RTX-3090", "RTX 4090": "RTX-4090", "RTX 5090": "RTX-5090",
    "RTX 6000 Ada": "RTX-6000-Ada", "RTX Pro 6000": "RTX-PRO-6000", "RTX PRO 6000": "RTX-PRO-6000",
    "RTX Pro 6000 Blackwell": "RTX-PRO-6000", "RTX 6000 Pro": "RTX-PRO-6000",
    "A100 PCIe": "A100-PCIe-80GB", "A100 80GB PCIe": "A100-PCIe-80GB", "A100 SXM": "A100-80GB",
    "A100 80GB SXM": "A100-80GB", "A100 SXM4": "A100", "A100": "A100", "H100 PCIe": "H100-PCIe",
    "H100 NVL": "H100-NVL", "H100 SXM": "H100", "H100 SXM5": "H100", "HGX H100": "H100",
    "H200": "H200", "HGX H200": "H200", "H200 SXM5": "H200", "B200": "B200", "B200 SXM6": "B200",
    "B200 NVL": "B200", "B300 SXM6": "B300", "MI300X": "MI300X", "MI350X": "MI350X",
    "GH200": "GH200",
}
OFFERED_BY = {"dataoorts", "digitalocean", "genesis-cloud", "gpuhub", "jarvis-labs", "packet-ai",
              "runpod", "vultr"}
# RunPod's machines as the catalogue calls them: a bare A100-80GB or H100 is the PCIe card.
RUNPOD = {"A100-PCIe-80GB": "A100-80GB", "A100-80GB": "A100-80GB-SXM", "H100-PCIe": "H100",
          "H100": "H100-SXM", "H200": "H200-SXM", "RTX-3090": "RTX3090", "RTX-4090": "RTX4090",
          "RTX-5090": "RTX5090", "RTX-6000-Ada": "RTX6000-Ada", "A5000": "RTXA5000",
          "A6000": "RTXA6000", "RTX-PRO-6000": "RTXPRO6000"}


def offered_singly():
    merged = {}
    for row in rows("gpu_offerings_2026-05-24.csv"):
        maker, tier = row["gpu_model"].split()[0], row["tier"]
        gpu = OFFERED_GPU.get(row["gpu_model"].removeprefix(maker).strip()
                              if maker in ("NVIDIA", "AMD") else row["gpu_model"])
        if row["provider_id"] not in OFFERED_BY or not row["vcpu"] or not row["ram_gb"] or not gpu:
            continue
        if row["provider_id"] == "runpod" and (tier == "spot" or row["id"] == "runpod-a100-pcie-secure"):
            continue  # the latter is 1x_A100-80GB_SECURE of the catalogue
        if gpu == "A100" and row["vram_gb"] == "80":
            gpu = "A100-80GB"
        # The provider's own word for the line of machines, where it has several with that GPU.
        whose = "; community: the hosts are third parties" if tier == "community" else ""
        line = row["id"].removeprefix(row["provider_id"] + "-").removesuffix("-" + tier)
        name = f"1x_{RUNPOD.get(gpu, gpu)}_{tier.upper()}" if row["provider_id"] == "runpod" else line
        offer = merged.setdefault((row["provider_id"], name), {
            "Provider": row["provider_id"], "InstanceType": name, "vCPUs": row["vcpu"],
            "MemoryGiB": row["ram_gb"], "AcceleratorName": gpu, "AcceleratorCount": 1,
            "AcceleratorMemoryGiB": row["vram_gb"], "Currency": "USD",
            "Arch": "arm64" if gpu.startswith(("GH", "GB")) else "", "Book": "current",
            "AsOf": row["collected_at"],
            "Source": f"tardellirs/gpu-pricing @8f09a68, collected there by hand from {row['source_url']} "
                      f"(no region: none is said{whose})"})
        offer["SpotPrice" if row["is_spot"] == "True" else "Price"] = row["price_usd_hour"]
    return list(merged.values())


def per_hour(month):
    if not month or decimal.Decimal(month) == 0:
        return ""
    return str((decimal.Decimal(month) / 730).quantize(decimal.Decimal("1e-9")).normalize())


# Shared cores, which the table of prices calls one vCPU: f1-micro was measured to be held to 0.2 of
# one (opsdash.com/blog/google-cloud-f1-micro.html, which quotes the documentation's 0.2); g1-small
# is half a one by the same documentation (from memory).
SHARED_CORE = {"f1-micro": "0.2", "g1-small": "0.5"}


# The table of prices has a price wherever Google lists one for cores, memory and GPU, which is not where
# the machine can be had. Regions with a zone that offers it: skypilot-org/skypilot-catalog
# catalogs/v8/gcp/vms.csv @006059e0, which asks the API for machine types zone by zone.
A3_HIGH = ("asia-east1 asia-northeast1 asia-south1 asia-south2 asia-southeast1 australia-southeast1 "
           "europe-north1 europe-west1 europe-west3 europe-west4 europe-west9 us-central1 us-east4 "
           "us-east5 us-west1 us-west4")
GCE_REGIONS = {
    "a2-highgpu": "asia-northeast1 asia-northeast3 asia-southeast1 europe-west4 me-west1 us-central1 "
                  "us-east1 us-west1 us-west3 us-west4",
    "a2-megagpu": "asia-southeast1 europe-west4 us-central1",
    "a2-ultragpu": "asia-southeast1 europe-west4 us-central1 us-east4 us-east5",
    "a3-highgpu-8g": A3_HIGH,
    "a3-highgpu": A3_HIGH + " europe-west8",
    "a3-megagpu": "asia-east1 asia-northeast1 asia-southeast1 australia-southeast1 europe-north1 "
                  "europe-west1 europe-west3 europe-west4 us-central1 us-east4 us-east5 us-west1 us-west4",
    "g2-standard": "asia-east1 asia-northeast1 asia-northeast3 asia-south1 asia-southeast1 europe-west1 "
                   "europe-west2 europe-west3 europe-west4 europe-west6 me-central2 "
                   "northamerica-northeast1 northamerica-northeast2 us-central1 us-east1 us-east4 "
                   "us-west1 us-west4",
}


def offered(instance, region):
    """Whether a zone of the region has the machine; of machines without a list, whether it is priced."""
    family = instance.rsplit("-", 1)[0]
    regions = GCE_REGIONS.get(instance, GCE_REGIONS.get(family))
    return regions is None or region in regions.split()


def gcp():
    lines = []
    for row in rows("gcp_2026-07-30.csv"):
        name, count = "", ""
        if row["attrs"]:
            key, count = row["attrs"].split("=")[:2]
            name = GPU[key]
        if row["instance_type"].startswith("custom"):
            continue  # unit prices of custom shapes, not a machine
        if not offered(row["instance_type"], row["region"]):
            continue
        lines.append({
            "Provider": "gcp", "InstanceType": row["instance_type"],
            "vCPUs": SHARED_CORE.get(row["instance_type"], row["vcpus"]),
            "MemoryGiB": row["mem_gib"], "AcceleratorName": name, "AcceleratorCount": count,
            "AcceleratorMemoryGiB": MEMORY.get(name, ""), "Region": row["region"],
            "Price": row["usd_h"], "SpotPrice": row["usd_h_spot"],
            # Committed use is priced per month of 730 h.
            "Reserved1yPrice": per_hour(row["usd_month_1y"]),
            "Reserved3yPrice": per_hour(row["usd_month_3y"]),
            "Payment": "no upfront" if row["usd_month_1y"] or row["usd_month_3y"] else "",
            "Currency": "USD",
            "Arch": "arm64" if row["instance_type"].split("-")[0] in ("c4a", "n4a", "t2a") else "x86_64",
            "Book": "current", "AsOf": "2026-07-30",
            "Source": "Cyclenerd/google-cloud-pricing-cost-calculator pricing.yml @fd66b26"})
    return lines


ERA_GPU = {"p2": "K80", "p3": "V100", "g3": "M60"}


def aws_2017():
    lines = []
    for row in rows("aws_ec2_2017-11-12.csv"):
        family = row["instance_type"].split(".")[0]
        gpus = int(row["gpus"] or 0)
        if not row["linux_ondemand_usd_h"] or family not in ("p2", "p3", "g3", "c4", "c5", "m4"):
            continue
        gpu = ERA_GPU.get(family, "")
        lines.append({
            "Provider": "aws", "InstanceType": row["instance_type"], "vCPUs": row["vcpus"],
            "MemoryGiB": row["mem_gib"], "AcceleratorName": gpu if gpus else "",
            "AcceleratorCount": gpus or "", "AcceleratorMemoryGiB": MEMORY[gpu] if gpus else "",
            "Region": row["region"], "Price": row["linux_ondemand_usd_h"],
            "Reserved1yPrice": row["reserved_1y_noupfront_usd_h"],
            "Reserved3yPrice": row["reserved_3y_noupfront_usd_h"],
            "Payment": "no upfront" if row["reserved_1y_noupfront_usd_h"] else "",
            "Currency": "USD",
            "Arch": "x86_64", "Book": "era-2017", "AsOf": "2017-11-12",
            "Source": "vantage-sh/ec2instances.info www/instances.json @94e1f006"})
    return lines


def alibaba():
    shapes = {row["instance_type"]: row for row in rows("alibaba_gpu_instances.csv")}
    merged = {}
    for row in rows("alibaba_observed.csv"):
        shape = shapes.get(row["instance_type"])
        if shape is None or "/" in shape["gpus"] or not row["region"]:
            continue
        gpu = GPU[row["gpu"]]
        era = row["as_of"].startswith("2017")
        key = (row["instance_type"], row["region"], era)
        line = merged.setdefault(key, {
            "Provider": "alibaba", "InstanceType": row["instance_type"], "vCPUs": shape["vcpus"],
            "MemoryGiB": shape["mem_gib"], "AcceleratorName": gpu,
            "AcceleratorCount": shape["gpus"],
            "AcceleratorMemoryGiB": memory_of_one(row["gpu"], gpu),
            "Region": row["region"], "Currency": row["currency"], "Arch": "x86_64",
            "LocalDiskGiB": shape["local_nvme_gib"],
            "Book": "era-2017" if era else "current", "AsOf": row["as_of"],
            "Source": row["source"]})
        line["Price" if row["kind"] == "pay-as-you-go" else "SpotPrice"] = row["price"]
    return list(merged.values())


def gcp_2017():
    """The two figures the founding report gives; the K80's host by the article they are from."""
    source = "founding report's GCE prices, ../shared/data/README.md"
    host = "; a K80 at 0.700 beside an n1-standard-1 at 0.045: minimaxir.com/2017/07/cpu-or-gpu"
    common = {"Provider": "gcp", "Region": "not stated", "Currency": "USD", "Arch": "x86_64",
              "Book": "era-2017", "AsOf": "2017", "Source": source}
    return [
        {**common, "InstanceType": "K80 instance", "vCPUs": 1, "MemoryGiB": 3.75,
         "AcceleratorName": "K80", "AcceleratorCount": 1, "AcceleratorMemoryGiB": MEMORY["K80"],
         "Price": "0.745", "Source": source + host},
        {**common, "InstanceType": "n1-highcpu-64", "vCPUs": 64, "MemoryGiB": 57.6,
         "SpotPrice": "0.509"}]


def disk_caps():
    """What one machine lets through: AWS by instance, GCE by machine type or number of vCPUs."""
    lines = {}
    for row in rows("aws_ec2_2017-11-12.csv"):
        if float(row["ebs_throughput_mbs"] or 0) > 0 and row["family"]:
            lines["aws", row["instance_type"], "*"] = {
                "Provider": "aws", "Instance": row["instance_type"], "Class": "*",
                "MBps": row["ebs_throughput_mbs"], "Iops": row["ebs_iops"],
                "Source": "vantage-sh/ec2instances.info www/instances.json @94e1f006"}
    # What is given for ever: the burst of small sizes, half an hour a day, is not counted.
    with open(here / "ebs_caps.csv", newline="", encoding="utf-8") as collected:
        for row in csv.DictReader(collected):
            lines["aws", row["Instance"], "*"] = {
                "Provider": "aws", "Instance": row["Instance"], "Class": "*", "MBps": row["MBps"],
                "Iops": row["Iops"], "Source": row["Source"]}
    machines = {row["instance_type"]: float(row["vcpus"] or 0) for row in rows("gcp_2026-07-30.csv")}
    for row in rows("gcp_disk_vm_caps.csv"):
        mibs = float(row["max_read_mibs"] or 0)
        if mibs < 10:
            continue  # not captured, or a slip: 1 for 1200
        family = row["family"].split()[0].lower()
        for name, vcpus in machines.items():
            if name.split("-")[0] == family and covers(row["machine_or_vcpus"], name, vcpus):
                lines["gcp", name, row["disk"]] = {
                    "Provider": "gcp", "Instance": name, "Class": row["disk"],
                    "MBps": round(mibs * 1.048576, 3), "Iops": row["max_read_iops"],
                    "Source": "GoogleCloudPlatform/gcpdiag @af187502"}
    return list(lines.values())


CUSTOM = ["Provider", "Family", "Region", "MinGiBPerVcpu", "MaxGiBPerVcpu", "MaxVcpus", "VcpuPrice",
          "GiBPrice", "VcpuSpotPrice", "GiBSpotPrice", "Gpu", "GpuMemoryGiB", "GpuVcpus", "GpuPrice",
          "GpuSpotPrice", "Currency", "Book", "AsOf", "Source"]

# USD per GPU and hour beside an N1 machine, list and spot: read from skypilot-org/skypilot-catalog
# catalogs/v8/gcp/vms.csv @006059e0 (its rows without a machine type).
GCE_GPUS = {
    "us-central1": {"T4": ("0.35", "0.175"), "P4": ("0.6", "0.2236"), "P100": ("1.46", "0.7034"),
                    "V100": ("2.48", "1.0885")},
    "europe-west4": {"T4": ("0.3675", "0.175"), "P4": ("0.63", "0.132"),
                     "P100": ("1.533", "0.2341"), "V100": ("2.604", "1.0443")},
    "asia-east1": {"T4": ("0.35", "0.1383"), "P100": ("1.6", "0.144"), "V100": ("2.48", "0.6356")},
}
# How many of them one machine takes, and the vCPUs it may have then: skypilot-org/skypilot
# sky/catalog/gcp_catalog.py @00526108, which names cloud.google.com/compute/docs/gpus as its source.
GCE_GPU_VCPUS = {"T4": "1:48 2:48 4:96", "P4": "1:24 2:48 4:96", "P100": "1:16 2:32 4:96",
                 "V100": "1:12 2:24 4:48 8:96"}


def custom():
    """Prices of one vCPU and one GiB of N1 custom machines, solved from two of the three shapes the
    figures have and checked against the third."""
    shapes = {(row["instance_type"], row["region"]): row for row in rows("gcp_2026-07-30.csv")
              if row["instance_type"].startswith("custom-")}
    lines = []
    for region in sorted({key[1] for key in shapes}):
        line = {"Provider": "gcp", "Family": "custom", "Region": region, "MinGiBPerVcpu": "1",
                "MaxGiBPerVcpu": "6.5", "MaxVcpus": 96, "Currency": "USD", "Book": "current",
                "AsOf": "2026-07-30",
                "Source": "solved from custom-1-7680 and custom-2-10240 of Cyclenerd/"
                          "google-cloud-pricing-cost-calculator pricing.yml @fd66b26; at most 96 vCPUs of "
                          "6.5 GiB cloud.google.com/compute/docs/machine-types (stored page without "
                          "a date); at least 1 GiB each assumed"}
        for column, vcpu, gib in (("usd_h", "VcpuPrice", "GiBPrice"),
                                  ("usd_h_spot", "VcpuSpotPrice", "GiBSpotPrice")):
            one, two, four = (decimal.Decimal(shapes[f"custom-{name}-ext", region][column])
                              for name in ("1-7680", "2-10240", "4-30720"))
            per_gib = (2 * one - two) / 5
            per_vcpu = one - decimal.Decimal("7.5") * per_gib
            assert 4 * per_vcpu + 30 * per_gib == four, (region, column)
            line[vcpu], line[gib] = per_vcpu.normalize(), per_gib.normalize()
        lines.append(line)
        for gpu, (listed, spot) in GCE_GPUS[region].items():
            lines.append({**line, "Gpu": gpu, "GpuMemoryGiB": MEMORY[gpu],
                          "GpuVcpus": GCE_GPU_VCPUS[gpu], "GpuPrice": listed, "GpuSpotPrice": spot,
                          "Source": line["Source"] + "; vCPUs beside GPUs skypilot-org/skypilot "
                                    "sky/catalog/gcp_catalog.py @00526108; GPU skypilot-org/skypilot-catalog "
                                                     "catalogs/v8/gcp/vms.csv @006059e0"})
    return lines


def covers(text, name, vcpus):
    text = text.strip()
    if text.endswith(" or more"):
        return vcpus >= float(text.split()[0])
    low, dash, high = text.partition("-")
    if low.isdigit() and (not dash or high.isdigit()):
        return float(low) <= vcpus <= float(high or low)
    return name == text


undated = "undated (catalogue commit; content suggests {})"
write("aws.csv", from_catalogue("aws_current.csv", undated.format("early 2026")))
write("azure.csv", from_catalogue("azure_current.csv", undated.format("2024-25")))
write("neoclouds.csv", from_catalogue("neoclouds_current.csv", undated.format("2025-26")))
write("offered_singly.csv", offered_singly())
write("gcp.csv", gcp())
write("aws_2017.csv", aws_2017())
write("alibaba.csv", alibaba())
write("gcp_2017.csv", gcp_2017())
write("disk_caps.csv", disk_caps(), ["Provider", "Instance", "Class", "MBps", "Iops", "Source"])
write("custom.csv", custom(), CUSTOM)
