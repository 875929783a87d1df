import type { SimulatorControl } from '../simulator/control-client.ts';

/** What the sandbox can be controlled by. */
export type SandboxControls = {
  /** Null where the operator is not the simulator. */
  readonly simulator: SimulatorControl | null;
  /** Null where the clock shows real time. */
  readonly clock: { readonly move: (byMs: number) => Promise<void> } | null;
  /** The operators' fakes by the names of their connectors; empty where there are none. */
  readonly fakeUrls: ReadonlyMap<string, string>;
};
