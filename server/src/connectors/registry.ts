// All connectors by name. A new operator adds one line here and one for its fake in sandbox/fakes/registry.ts.
import { mtnMomo } from './mtn-momo/connector.ts';
import { mpesaDaraja } from './mpesa-daraja/connector.ts';
import { airtelMoney } from './airtel-money/connector.ts';
import { gsma } from './gsma/connector.ts';
import { orangeSonatel } from './orange-sonatel/connector.ts';
import type { Operator } from './operator.ts';
import { vodacomMpesa } from './vodacom-mpesa/connector.ts';
import { wave } from './wave/connector.ts';

export const OPERATORS: Readonly<Record<string, Operator>> = {
  'mtn-momo': mtnMomo,
  'mpesa-daraja': mpesaDaraja,
  'airtel-money': airtelMoney,
  gsma: gsma,
  'orange-sonatel': orangeSonatel,
  'vodacom-mpesa': vodacomMpesa,
  wave: wave,
};

/** The names allowed in settings: the operators, and the simulator, which exists only in a sandbox. */
export const CONNECTOR_NAMES: readonly string[] = ['simulator', ...Object.keys(OPERATORS)];
