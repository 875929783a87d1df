// Breadth first through every state that can be reached, so that the first counterexample found is a shortest one.
// Then backwards from where everything comes to rest: a state from which none can be reached is work that never ends.

/** What is searched: where it begins, what can happen, and what must be true of every state. */
export type Model<State> = {
  readonly initial: State;
  readonly begins: string;
  readonly keyOf: (state: State) => string;
  readonly movesOf: (state: State) => readonly { readonly label: string; readonly to: State }[];
  /** Whether a state keeps it, by what is promised. */
  readonly promises: Readonly<Record<string, (state: State) => boolean>>;
  /** What every state can reach, and the name of that promise. */
  readonly isAtRest: (state: State) => boolean;
  readonly restPromise: string;
  /** A search that goes further than this was asked too much. */
  readonly statesMax: number;
};

export type Counterexample<State> = {
  readonly promise: string;
  readonly trace: readonly { readonly label: string; readonly state: State }[];
};

export type Search<State> = {
  readonly states: number;
  readonly transitions: number;
  /** The longest of the shortest ways to a state. */
  readonly depth: number;
  readonly counterexample: Counterexample<State> | null;
};

export function explore<State>(model: Model<State>): Search<State> {
  const { promises, statesMax } = model;
  const graph = new Graph(model);
  const names = Object.entries(promises);
  for (let no = 0; no < graph.states.length; no += 1) {
    const state = graph.states[no] as State;
    const broken = names.find(([, isKept]) => !isKept(state));
    if (broken !== undefined) return graph.result({ promise: broken[0], trace: graph.trace(no) });
    for (const { label, to } of model.movesOf(state)) graph.add(no, label, to);
    if (graph.states.length > statesMax) throw new Error(`more than ${statesMax} states`);
  }
  const stuck = graph.firstThatCannotReach(model.isAtRest);
  return graph.result(stuck === null ? null : { promise: model.restPromise, trace: graph.trace(stuck) });
}

class Graph<State> {
  readonly states: State[] = [];
  readonly #known = new Map<string, number>();
  readonly #parents: number[] = [];
  readonly #labels: string[] = [];
  readonly #depths: number[] = [];
  /** Edges as pairs: from, to. */
  readonly #edges: number[] = [];

  readonly #keyOf: Model<State>['keyOf'];

  constructor({ initial, begins, keyOf }: Pick<Model<State>, 'initial' | 'begins' | 'keyOf'>) {
    this.#keyOf = keyOf;
    this.#insert(keyOf(initial), initial, -1, begins);
  }

  add(from: number, label: string, to: State): void {
    const key = this.#keyOf(to);
    const no = this.#known.get(key) ?? this.#insert(key, to, from, label);
    this.#edges.push(from, no);
  }

  trace(no: number): Counterexample<State>['trace'] {
    const steps: { label: string; state: State }[] = [];
    for (let at = no; at >= 0; at = this.#parents[at] ?? -1) {
      steps.push({ label: this.#labels[at] ?? '', state: this.states[at] as State });
    }
    return steps.toReversed();
  }

  result(counterexample: Counterexample<State> | null): Search<State> {
    const depth = this.#depths.at(-1) ?? 0;
    return { states: this.states.length, transitions: this.#edges.length / 2, depth, counterexample };
  }

  firstThatCannotReach(isGoal: (state: State) => boolean): number | null {
    const canReach = this.states.map(isGoal);
    const { starts, sources } = this.#backwards();
    const found = canReach.flatMap((is, no) => (is ? no : []));
    while (found.length > 0) {
      const no = found.pop() ?? 0;
      for (let edge = starts[no] ?? 0; edge < (starts[no + 1] ?? 0); edge += 1) {
        const source = sources[edge] ?? 0;
        if (canReach[source]) continue;
        canReach[source] = true;
        found.push(source);
      }
    }
    const unmatched = canReach.indexOf(false);
    return unmatched < 0 ? null : unmatched;
  }

  /** The edges by where they lead: those to state n are sources[starts[n]] up to sources[starts[n + 1]]. */
  #backwards() {
    const edges = this.#edges;
    const starts = new Int32Array(this.states.length + 2);
    for (let at = 1; at < edges.length; at += 2) {
      const to = (edges[at] ?? 0) + 2;
      starts[to] = (starts[to] ?? 0) + 1;
    }
    for (let no = 2; no < starts.length; no += 1) starts[no] = (starts[no] ?? 0) + (starts[no - 1] ?? 0);
    const sources = new Int32Array(edges.length / 2);
    for (let at = 1; at < edges.length; at += 2) {
      const to = (edges[at] ?? 0) + 1;
      const place = starts[to] ?? 0;
      sources[place] = edges[at - 1] ?? 0;
      starts[to] = place + 1;
    }
    return { starts, sources };
  }

  #insert(key: string, state: State, from: number, label: string): number {
    const no = this.states.length;
    this.#known.set(key, no);
    this.states.push(state);
    this.#parents.push(from);
    this.#labels.push(label);
    this.#depths.push(from < 0 ? 0 : (this.#depths[from] ?? 0) + 1);
    return no;
  }
}
