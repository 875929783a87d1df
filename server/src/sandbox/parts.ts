// What a sandbox adds to a gateway: the connector to the simulator, a movable clock, the control API, the phone and the
// landing page. The composition loads this file only if the configuration has a sandbox.
import type { Connector } from '../connectors/port.ts';
import type { LocalSandbox, SandboxRoutes } from '../edge/server.ts';
import type { Database } from '../store/database.ts';
import type { SandboxControls } from './control/controls.ts';
import { registerSandbox } from './control/plugin.ts';
import { registerLanding } from './landing/routes.ts';
import { MovableClock } from './movable-clock.ts';
import { PHONE_SCRIPT } from './phone/phone-script.ts';
import { registerPhone } from './phone/routes.ts';
import { createSimulatorConnector, type SimulatorConnectorOptions } from './simulator/connector.ts';
import { createSimulatorControl } from './simulator/control-client.ts';

export type SandboxSettings = {
  /** Null if no payment goes to the simulator. */
  readonly simulator: (Omit<SimulatorConnectorOptions, 'baseUrl'> & { readonly url: string }) | null;
  readonly clockIsMovable: boolean;
  /** Null unless the sandbox command runs it. */
  readonly local: LocalParts | null;
};

export type LocalParts = LocalSandbox & {
  /** Where each fake of an operator is, by the name of its connector. */
  readonly fakeUrls: SandboxControls['fakeUrls'];
};

export type SandboxParts = {
  /** Null if the clock shows real time. */
  readonly clock: MovableClock | null;
  /** Null if no payment goes to the simulator. */
  readonly connector: Connector | null;
  readonly routes: SandboxRoutes;
  readonly close: () => Promise<void>;
};

export async function openSandboxParts(
  { simulator, clockIsMovable, local }: SandboxSettings,
  database: Database,
): Promise<SandboxParts> {
  const clock = clockIsMovable ? await MovableClock.open(database) : null;
  const connector =
    simulator === null ? null : createSimulatorConnector({ ...simulator, baseUrl: simulator.url });
  // The simulator's control interface has the same address as the simulator.
  const control = simulator === null ? null : createSimulatorControl(simulator.url);
  const fakeUrls = local?.fakeUrls ?? new Map<string, string>();
  return {
    clock,
    connector,
    routes: createRoutes({ simulator: control, clock, fakeUrls }, local),
    close: async () => {
      await connector?.close?.();
      await control?.close();
      clock?.close();
    },
  };
}

function createRoutes(controls: SandboxControls, local: LocalSandbox | null): SandboxRoutes {
  return {
    assets: [PHONE_SCRIPT],
    local,
    register: async (app, engine, look) => {
      if (local !== null) registerLanding(app, { engine, look, local });
      await registerSandbox(app, engine, controls);
      await registerPhone(app, { engine, simulator: controls.simulator, look });
    },
  };
}
