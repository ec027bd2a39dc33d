"""The data path of models/simulate played by SimGrid (https://simgrid.org), a simulator not ours.

usage: simgrid_peer.py WORKERS CORES ROOM BATCH READ_S DECODE_S STEP_S BATCHES [SEED]

WORKERS actors read items of READ_S from one disk, one transfer at a time, decode them in DECODE_S core
seconds on CORES shared cores and put whole minibatches of BATCH items in order where an accelerator
takes each for STEP_S; ROOM minibatches at most are claimed and not yet taken. With a SEED decoding and
steps take exponential times of these means. Prints minibatches per second after the first tenth.
"""
import random
import sys

from simgrid import Actor, Engine, Host, NetZone, Semaphore, this_actor

BYTES_PER_S = 1e9
FLOPS_PER_S = 1e9


class Buffer:
    """Minibatches in order. Actors run one at a time, so plain values are safe between calls."""

    def __init__(self, room, batches):
        self.room, self.batches = room, batches
        self.claimed = self.taken = 0
        self.finished = set()
        self.filled = Semaphore(0)  # one for each minibatch that became the next in order
        self.announced = 0
        self.waiting = []

    def claim(self):
        while self.claimed >= self.taken + self.room and self.claimed < self.batches:
            turn = Semaphore(0)
            self.waiting.append(turn)
            turn.acquire()
        if self.claimed >= self.batches:
            return None
        self.claimed += 1
        return self.claimed - 1

    def put(self, batch):
        self.finished.add(batch)
        while self.announced in self.finished:
            self.finished.remove(self.announced)
            self.announced += 1
            self.filled.release()

    def take(self):
        self.filled.acquire()
        self.taken += 1
        waiting, self.waiting = self.waiting, []
        for turn in waiting:
            turn.release()


def worker(buffer, disk, queue, batch, read_s, decode_s, factor):
    while (claimed := buffer.claim()) is not None:
        for _ in range(batch):
            if read_s > 0:
                queue.acquire()  # in the order of asking
                disk.read(int(read_s * BYTES_PER_S), 1)
                queue.release()
            this_actor.execute(decode_s * factor() * FLOPS_PER_S)
        buffer.put(claimed)


def accelerator(buffer, step_s, batches, factor):
    begin = 0.0
    for step in range(batches):
        buffer.take()
        this_actor.sleep_for(step_s * factor())
        if step + 1 == batches // 10:
            begin = Engine.clock
    print((batches - batches // 10) / (Engine.clock - begin))


def main():
    workers, cores, room, batch = (int(word) for word in sys.argv[1:5])
    read_s, decode_s, step_s = (float(word) for word in sys.argv[5:8])
    batches = int(sys.argv[8])
    chance = random.Random(int(sys.argv[9])) if len(sys.argv) > 9 else None

    def factor():
        return chance.expovariate(1) if chance else 1

    engine = Engine(sys.argv[:1] + ["--log=root.thresh:warning"])
    zone = NetZone.create_full_zone("machine")
    host = zone.create_host("host", FLOPS_PER_S)
    host.core_count = cores
    disk = host.create_disk("disk", BYTES_PER_S, BYTES_PER_S)
    disk.seal()
    host.seal()
    zone.seal()
    buffer = Buffer(room, batches)
    queue = Semaphore(1)
    for number in range(workers):
        Actor.create(f"worker {number}", host, worker, buffer, disk, queue, batch, read_s, decode_s, factor)
    Actor.create("accelerator", host, accelerator, buffer, step_s, batches, factor)
    engine.run()


main()
