// From which addresses an operator's messages are read: a second layer, never a proof of where they come from.
import { isIP } from 'node:net';
import { rangeList } from '../../callbacks/address-ranges.ts';
import type { Connector } from '../../connectors/port.ts';
import type { Environment } from '../engine.ts';

export type OperatorSources = {
  /** True where no list is set, too. */
  readonly allows: (connector: Pick<Connector, 'name' | 'notifications'>, address: string) => boolean;
};

export type SourceSettings = {
  readonly environment: Environment;
  readonly operators: {
    /** Ranges by the name of the connector, instead of those that its operator publishes. */
    readonly sources?: Readonly<Record<string, readonly string[]>>;
  };
};

/** In the sandbox messages come from fakes, so only a list counts that the host has set. */
export function createOperatorSources({ environment, operators }: SourceSettings): OperatorSources {
  return {
    allows: ({ name, notifications }, address) => {
      const published = environment === 'production' ? notifications?.sources : undefined;
      const ranges = operators.sources?.[name] ?? published;
      if (ranges === undefined) return true;
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      return isIP(address) !== 0 && rangeList(ranges).check(address, family);
    },
  };
}
