// Every connector by its name: the one line a new operator adds outside its own folder. A factory takes a plain
// object of options; where those come from is the composition's business.
import type { Connector } from './port.ts';
import { createSimulatorConnector } from './simulator/connector.ts';

export const CONNECTORS = {
  simulator: createSimulatorConnector,
} as const satisfies Record<string, (options: never) => Connector>;

export type ConnectorName = keyof typeof CONNECTORS;
