// Which connector carries what, by the host's bindings.
import { findBinding, type Binding } from '../../connectors/bindings.ts';
import type { Connector } from '../../connectors/port.ts';
import type { Engine } from '../../core/engine.ts';

/** What no binding names is carried by the simulator, where there is one. */
export function createConnectorOf(
  connectors: ReadonlyMap<string, Connector>,
  bindings: readonly Binding[],
): Engine['connectorOf'] {
  return (provider, kind) => {
    const binding = findBinding(bindings, { provider, kind });
    const connector = connectors.get(binding?.connector ?? 'simulator');
    if (connector === undefined || !connector.supports(kind, provider)) return null;
    return kind === 'REFUND' && connector.refund === undefined ? null : connector.name;
  };
}
