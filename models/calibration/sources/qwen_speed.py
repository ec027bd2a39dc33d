"""Qwen's own documentation, "Speed Benchmark": one sequence at a time, 2048 tokens written after a prompt
of one. Transformers and vLLM 0.4 and 0.6 on an A100 of 80 GB (Qwen 2 and 2.5; of Qwen 1.5 Transformers
with Flash Attention 2), Transformers 4.51 and SGLang 0.4.6 on an H20 (Qwen 3). Rows with longer prompts
count the prompt's tokens as written ones, at least those of Qwen 3 say so.

Left out: Transformers' rates by two GPUs, which it has take turns; those of weights in FP8 and SGLang's
of a mixture in GPTQ, of which the page says that they are not as they should be; Qwen 1.5's that are
not built in."""
import re

FORMATS = {"BF16": "16bit", "FP8": "fp8", "GPTQ-Int8": "int8", "GPTQ-Int4": "int4",
           "GPTQ-INT4": "int4", "AWQ": "int4", "AWQ-INT4": "int4"}
# The last commits that had them.
QWEN_1_5 = ("docs/source/benchmark/hf_infer.rst", "14544eb0f7")
QWEN_2 = ("docs/source/benchmark/speed_benchmark.rst", "5c4e69c")
QWEN_2_5 = ("docs/source/getting_started/speed_benchmark.rst", "f4d356cb55")
QWEN_3 = ("docs/source/getting_started/speed_benchmark.md", "HEAD")


def network_of(model):
    name = model.lower()
    for ending in ("-instruct", "-chat", "-gptq-int4", "-awq"):
        name = name.replace(ending, "")
    return {"qwen2-72b": "qwen2.5-72b", "qwen2-7b": "qwen2.5-7b", "qwen2-1.5b": "qwen2.5-1.5b",
            "qwen2-0.5b": "qwen2.5-0.5b"}.get(name, name)  # the same but for their weights


def collect(collected):
    repository = collected.repository("QwenLM", "Qwen2.5")

    def add(model, quantization, gpu, gpus, rate, software, place, version):
        weights = FORMATS[quantization]
        if software == "Hugging Face" and (gpus > 1 or weights == "fp8"):
            return
        if software == "SGLang" and weights == "int4" and re.search(r"-A\d+B", model):
            return
        path, commit = place
        source = repository.source(path, "" if commit == "HEAD" else commit[:7])
        collected.decode("alone", network_of(model), weights, "16bit", gpu, gpus, "", 1, 1, 2048,
                         rate, software, f"{source} ({model}; {version})")

    for place, versions in ((QWEN_2, ("Transformers 4.38", "vLLM 0.4.2")),
                            (QWEN_2_5, ("Transformers 4.46", "vLLM 0.6.3"))):
        for row in restructured(repository.text(*place)):
            transformers = row["software"].startswith("Transformer")
            add(row["model"], row["quantization"], "A100-80GB", row["gpus"], row["rate"],
                "Hugging Face" if transformers else "vLLM V0", place, versions[not transformers])
    for row in marked_up(repository.text(*QWEN_3)):
        transformers = row["software"] == "Transformers"
        add(row["model"], row["quantization"], "H20", row["gpus"], row["rate"],
            "Hugging Face" if transformers else "SGLang", QWEN_3,
            "Transformers 4.51" if transformers else "SGLang 0.4.6")


def restructured(text):
    """Rows with a prompt of one token of the page's tables in reStructuredText."""
    software = model = length = ""
    for line in text.split("\n"):
        heading = re.match(r"- +\S+ \((\w+)\)", line)
        software = heading.group(1) if heading else software
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) < 5 or cells[2] not in FORMATS:
            continue
        model, length = cells[0] or model, cells[1] or length
        if length == "1" and re.fullmatch(r"[\d.]+", cells[4]):
            yield {"software": software, "model": model, "quantization": cells[2],
                   "gpus": int(cells[3]), "rate": float(cells[4])}


def marked_up(text):
    """The same of its tables in HTML."""
    for part in re.split(r"^### ", text, flags=re.M)[1:]:
        named = re.match(r"(Qwen3-\S+)\s\((\w+)\)", part)
        length = ""
        for row in re.findall(r"<tr>(.*?)</tr>", part, flags=re.S) if named else []:
            cells = re.findall(r"<td[^>]*>(.*?)</td>", row, flags=re.S)
            at = next((i for i, cell in enumerate(cells) if cell in FORMATS), None)
            if at is None:
                continue
            length = cells[at - 1] if at > 0 else length
            if length == "1" and cells[at + 1].isdigit():
                yield {"software": named.group(2), "model": named.group(1),
                       "quantization": cells[at], "gpus": int(cells[at + 1]),
                       "rate": float(cells[at + 2])}
