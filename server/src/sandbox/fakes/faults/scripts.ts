// The waiting scripts. They exist through their faults: a script without remaining faults has ended.
import type { Faults } from './faults.ts';
import { faultsOf, type Script, type NewScript } from './script.ts';

export class Scripts {
  readonly #faults: Faults;
  readonly #scripts = new Map<string, Script>();
  #count = 0;

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  add(wanted: NewScript): Script {
    this.#count += 1;
    const script = { scriptId: String(this.#count), ...wanted };
    this.#scripts.set(script.scriptId, script);
    for (const fault of faultsOf(script)) this.#faults.add(fault);
    return script;
  }

  list(): readonly Script[] {
    const left = Map.groupBy(this.#faults.list(), ({ label }) => label);
    for (const scriptId of this.#scripts.keys()) if (!left.has(scriptId)) this.#scripts.delete(scriptId);
    return [...this.#scripts.values()].map((script) => ({
      ...script,
      times: Math.max(...(left.get(script.scriptId) ?? []).map(({ times = 1 }) => times)),
    }));
  }

  /** Removes one script, or all of them; returns how many. Other faults stay. */
  remove(scriptId?: string): number {
    const removed = this.list().filter((script) => scriptId === undefined || script.scriptId === scriptId);
    for (const script of removed) {
      this.#faults.remove(script.scriptId);
      this.#scripts.delete(script.scriptId);
    }
    return removed.length;
  }
}
