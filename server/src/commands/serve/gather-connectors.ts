// Every connector of an installation: its operators', and the sandbox's simulator.
import type { Config } from '../../config.ts';
import { ConfigError } from '../../config-values.ts';
import { factsOf, type Connector } from '../../connectors/port.ts';
import { findTimingFault } from '../../connectors/timing.ts';
import { PAYMENT_KINDS } from '../../domain/payments/payment.ts';

/** By their names. Throws where one of them could not keep a payment from being made twice. */
export function gatherConnectors(
  { operators }: Pick<Config, 'operators'>,
  simulator: Connector | null,
  carriers: readonly Connector[],
): ReadonlyMap<string, Connector> {
  if (simulator === null && operators.bindings.some(({ connector }) => connector === 'simulator'))
    throw new ConfigError('MALIPO_OPERATORS names the simulator, but MALIPO_SIMULATOR_URL is not set.');
  const all = simulator === null ? carriers : [simulator, ...carriers];
  for (const connector of all) requireSoundTiming(connector);
  return new Map(all.map((connector) => [connector.name, connector]));
}

function requireSoundTiming(connector: Connector): void {
  for (const kind of PAYMENT_KINDS) {
    const fault = findTimingFault(factsOf(connector, kind).timing);
    if (fault !== null) throw new ConfigError(`The timing of ${connector.name} is not sound: ${fault}.`);
  }
}
