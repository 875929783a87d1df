// An operator's fake as a process of its own, with its books in a journal, so that it can be killed. What its
// accounts consist of is written beside the journal: a fake makes new keys when it is started again.
// Arguments: the scratch directory (so that it is found), then its options as JSON.
import { renameSync, writeFileSync } from 'node:fs';
import { portalAddress, startFakeOf } from '../../server/src/commands/sandbox/operator-fakes.ts';
import type { FakeOptions } from '../../server/src/sandbox/fakes/operator-fake.ts';

export type FakeProcessOptions = Omit<FakeOptions, 'notificationUrlOf'> & {
  readonly connector: string;
  readonly providers: readonly string[];
  readonly gatewayUrl: string;
  readonly credentialsPath: string;
};

const read = JSON.parse(process.argv[3] ?? '{}') as FakeProcessOptions;
const { connector, providers, gatewayUrl, credentialsPath, ...options } = read;
const fake = await startFakeOf(connector, {
  ...options,
  notificationUrlOf: (provider) => portalAddress(gatewayUrl, { connector, provider }),
});
const credentials = providers.map((provider) => [provider, fake.credentialsOf(provider)]);
writeFileSync(`${credentialsPath}.new`, JSON.stringify(Object.fromEntries(credentials)));
renameSync(`${credentialsPath}.new`, credentialsPath);
