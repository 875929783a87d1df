// Where the world of a simulation lies: real providers of the catalogue, bound to two operators whose timing and
// habits differ. Two countries share a currency, so that a split can be paid out across a border.
import type { Connector, ConnectorTiming } from '../../src/connectors/port.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

export type OperatorFacts = {
  readonly name: string;
  readonly timing: ConnectorTiming;
  readonly repeatedSubmit: Connector['repeatedSubmit'];
};

export const OPERATORS: readonly OperatorFacts[] = [
  {
    name: 'tolerant',
    repeatedSubmit: 'HARMLESS',
    // As the sandbox has it.
    timing: {
      sendDeadlineMs: 10 * SECOND_MS,
      timeoutMs: 10 * SECOND_MS,
      notSeenAfterMs: 30 * SECOND_MS,
      enquiryDelaysMs: [5, 10, 20, 40, 60, 120, 300].map((seconds) => seconds * SECOND_MS),
      horizonMs: 15 * MINUTE_MS,
      reconciliationDelayMs: 60 * MINUTE_MS,
    },
  },
  {
    name: 'strict',
    repeatedSubmit: 'CHARGES_AGAIN',
    // A horizon that many payments reach.
    timing: {
      sendDeadlineMs: 5 * SECOND_MS,
      timeoutMs: 20 * SECOND_MS,
      notSeenAfterMs: 60 * SECOND_MS,
      enquiryDelaysMs: [10, 20, 30, 60].map((seconds) => seconds * SECOND_MS),
      horizonMs: 5 * MINUTE_MS,
      reconciliationDelayMs: 20 * MINUTE_MS,
    },
  },
];

export type ProviderPlace = {
  readonly provider: string;
  readonly country: string;
  readonly currency: string;
  readonly phoneNumber: string;
  readonly operator: string;
};

export const PROVIDERS: readonly ProviderPlace[] = [
  place('MTN_MOMO_RWA', 'RWA', 'RWF', '250783456789', 'tolerant'),
  place('AIRTEL_RWA', 'RWA', 'RWF', '250733456789', 'strict'),
  place('MTN_MOMO_ZMB', 'ZMB', 'ZMW', '260763456789', 'tolerant'),
  place('ZAMTEL_ZMB', 'ZMB', 'ZMW', '260953456789', 'strict'),
  place('MTN_MOMO_BEN', 'BEN', 'XOF', '2290197345678', 'strict'),
  place('MTN_MOMO_CIV', 'CIV', 'XOF', '2250545678901', 'tolerant'),
];

function place(
  provider: string,
  country: string,
  currency: string,
  phoneNumber: string,
  operator: string,
): ProviderPlace {
  return { provider, country, currency, phoneNumber, operator };
}
