import type { SimulatorControl } from '../simulator/control-client.ts';

/** The means to control a sandbox. */
export type SandboxControls = {
  /** Null if the operator is not the simulator. */
  readonly simulator: SimulatorControl | null;
  /** Null if the clock shows real time. */
  readonly clock: { readonly move: (byMs: number) => Promise<void> } | null;
  /** The addresses of the operators' fakes by connector name; empty if there are none. */
  readonly fakeUrls: ReadonlyMap<string, string>;
};
