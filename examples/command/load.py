"""A loader that knows nothing of rightsize: cuts texts of 96 words into pieces of words by greedy
longest match, as BERT's tokeniser does, in plain Python and one process. `rightsize profile --
python3 examples/command/load.py FILE` measures it as it is, by the steps that it prints."""
import sys

BATCH = 64
WORDS = 96
LENGTH = 128


def vocabulary(words):
    """Every beginning of a word, and every end of three letters at most, has an id."""
    pieces = {}
    for word in words:
        for end in range(1, min(len(word), 6) + 1):
            pieces.setdefault(word[:end], len(pieces))
        for size in range(1, 4):
            pieces.setdefault("##" + word[-size:], len(pieces))
    return pieces


def ids_of(word, pieces):
    ids, begin = [], 0
    while begin < len(word):
        for end in range(len(word), begin, -1):
            piece = word[begin:end] if begin == 0 else "##" + word[begin:end]
            if piece in pieces:
                ids.append(pieces[piece])
                begin = end
                break
        else:
            return [0]
    return ids


def main():
    with open(sys.argv[1], encoding="utf-8") as text:
        words = text.read().lower().split()
    pieces = vocabulary(words)
    step, batch = 0, []
    while True:  # epochs
        for begin in range(0, len(words) - WORDS, WORDS):
            ids = [i for word in words[begin : begin + WORDS] for i in ids_of(word, pieces)]
            batch.append((ids + [0] * LENGTH)[:LENGTH])
            if len(batch) == BATCH:
                batch = []
                step += 1
                print(f"step {step}", flush=True)


if __name__ == "__main__":
    main()
