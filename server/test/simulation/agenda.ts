// What will happen, by time: a binary heap. Of two things at one moment the one planned first comes first.

type Planned = { readonly atMs: number; readonly no: number; readonly run: () => void };

export class Agenda {
  readonly #heap: Planned[] = [];
  #count = 0;

  plan(atMs: number, run: () => void): void {
    const heap = this.#heap;
    const planned = { atMs, no: this.#count++, run };
    let index = heap.length;
    heap.push(planned);
    while (index > 0) {
      const above = (index - 1) >> 1;
      if (!isBefore(planned, heap[above])) break;
      heap[index] = heap[above] as Planned;
      index = above;
    }
    heap[index] = planned;
  }

  next(): Planned | undefined {
    return this.#heap[0];
  }

  take(): Planned | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let index = 0;
    for (;;) {
      let below = 2 * index + 1;
      if (below >= heap.length) break;
      if (isBefore(heap[below + 1], heap[below])) below += 1;
      if (!isBefore(heap[below], last)) break;
      heap[index] = heap[below] as Planned;
      index = below;
    }
    heap[index] = last;
    return first;
  }
}

function isBefore(one: Planned | undefined, other: Planned | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.atMs === other.atMs ? one.no < other.no : one.atMs < other.atMs;
}
