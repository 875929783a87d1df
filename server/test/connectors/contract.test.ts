// The contract suite for every connector of the registry. A connector without a double does not compile.
import { describe, expect, it } from 'vitest';
import { CONNECTORS, type ConnectorName } from '../../src/connectors/registry.ts';
import { describeConnector, type OperatorDouble } from './contract.ts';
import { startSimulatorDouble } from './simulator-double.ts';

const DOUBLES: Readonly<Record<ConnectorName, () => Promise<OperatorDouble>>> = {
  simulator: startSimulatorDouble,
};

describe('the registry', () => {
  it('has a double for every connector', () => {
    expect(Object.keys(DOUBLES).toSorted()).toEqual(Object.keys(CONNECTORS).toSorted());
  });
});

for (const [name, startDouble] of Object.entries(DOUBLES)) describeConnector(name, startDouble);
