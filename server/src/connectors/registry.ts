// Every connector by its name: the one line a new operator adds outside its own folder. The simulator stands apart: it
// is the sandbox's own operator, and its options come from the sandbox's settings instead of stored credentials.
import { mtnMomo } from './mtn-momo/connector.ts';
import { mpesaDaraja } from './mpesa-daraja/connector.ts';
import { airtelMoney } from './airtel-money/connector.ts';
import { gsma } from './gsma/connector.ts';
import { orangeSonatel } from './orange-sonatel/connector.ts';
import type { Operator } from './operator.ts';
import type { Connector } from './port.ts';
import { createSimulatorConnector } from '../sandbox/simulator/connector.ts';
import { vodacomMpesa } from './vodacom-mpesa/connector.ts';
import { wave } from './wave/connector.ts';

export const CONNECTORS = {
  simulator: createSimulatorConnector,
} as const satisfies Record<string, (options: never) => Connector>;

export const OPERATORS: Readonly<Record<string, Operator>> = {
  'mtn-momo': mtnMomo,
  'mpesa-daraja': mpesaDaraja,
  'airtel-money': airtelMoney,
  gsma: gsma,
  'orange-sonatel': orangeSonatel,
  'vodacom-mpesa': vodacomMpesa,
  wave: wave,
};

export const CONNECTOR_NAMES: readonly string[] = [...Object.keys(CONNECTORS), ...Object.keys(OPERATORS)];
