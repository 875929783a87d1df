// The fakes of the operators in the registry, in place of the simulator: each on a port of its own, with every
// provider it serves bound to it and its credentials stored as a host would store them.
import type { Binding } from '../../connectors/bindings.ts';
import type { FakeOptions, OperatorFake } from '../../sandbox/fakes/operator-fake.ts';
import { playedProvidersOf, type Operator } from '../../connectors/operator.ts';
import { OPERATORS } from '../../connectors/registry.ts';
import { changeCredentials } from '../../core/operators/administer-operators.ts';
import type { Engine } from '../../core/engine.ts';
import { loadFake } from '../../sandbox/fakes/registry.ts';
import { ShutdownHooks } from '../serve/shutdown-hooks.ts';

type CredentialsOf = (
  place: Pick<Binding, 'connector' | 'provider'>,
) => ReturnType<OperatorFake['credentialsOf']>;

export type RunningFakes = {
  readonly fakes: ReadonlyMap<string, OperatorFake>;
  readonly bindings: readonly Binding[];
  readonly credentialsOf: CredentialsOf;
  readonly stop: () => Promise<void>;
};

/** Their port is always a free one: there are several. */
export type FakesOptions = Omit<FakeOptions, 'port' | 'notificationUrlOf' | 'journalPath'> & {
  /** Where operators reach the gateway; asked once payments come. */
  readonly gatewayUrl: () => string;
  /** Which of the registry; all where it is left out. */
  readonly names?: readonly string[];
  /** Where the books of each survive. */
  readonly journalPathOf?: (name: string) => string;
};

export async function startFakes(options: FakesOptions): Promise<RunningFakes> {
  const { gatewayUrl, names = Object.keys(OPERATORS), journalPathOf, ...fakeOptions } = options;
  const shutdownHooks = new ShutdownHooks();
  const fakes = new Map<string, OperatorFake>();
  try {
    for (const name of names) {
      const fake = await startFakeOf(name, {
        ...fakeOptions,
        notificationUrlOf: (provider) => portalAddress(gatewayUrl(), { connector: name, provider }),
        ...(journalPathOf === undefined ? {} : { journalPath: journalPathOf(name) }),
      });
      shutdownHooks.add(fake.stop);
      fakes.set(name, fake);
    }
  } catch (error) {
    await shutdownHooks.run();
    throw error;
  }
  return {
    fakes,
    bindings: bindOperators(names),
    credentialsOf: ({ connector, provider }) => fakes.get(connector)?.credentialsOf(provider) ?? {},
    stop: () => shutdownHooks.run(),
  };
}

export async function startFakeOf(name: string, options: FakeOptions): Promise<OperatorFake> {
  const { startFake } = await loadFake(name);
  return startFake(options);
}

/** What a host enters in the portal of an operator that posts to one address for each account. */
export function portalAddress(
  gatewayUrl: string,
  { connector, provider }: Pick<Binding, 'connector' | 'provider'>,
): string {
  return `${gatewayUrl}/operators/${connector}/notifications/of/${provider}`;
}

/**
 * Every provider goes to the first operator of the registry that serves it, except that each operator has its own first
 * provider: a generic protocol serves providers that have one of their own, and must be played all the same.
 */
export function bindOperators(names: readonly string[]): readonly Binding[] {
  const served = names.map((name) => ({ name, providers: playedProvidersOf(requireOperator(name)) }));
  const wishes = [
    ...served.map(({ name, providers }) => ({ name, wanted: providers.slice(0, 1) })),
    ...served.map(({ name, providers }) => ({ name, wanted: providers.slice(1) })),
  ];
  const owners = new Map<string, string>();
  for (const { name, wanted } of wishes) {
    for (const provider of wanted) if (!owners.has(provider)) owners.set(provider, name);
  }
  return [...owners].map(([provider, connector]) => ({ provider, kind: null, connector, account: null }));
}

export type Enrolment = {
  readonly by: string;
  readonly bindings: readonly Binding[];
  readonly credentialsOf: CredentialsOf;
  /** What is agreed with every operator beside its credentials, such as its rate. */
  readonly agreed?: Readonly<Record<string, string>>;
};

/** Sets the credentials of every bound provider, as `operator-account set` does. */
export async function enrol(
  engine: Engine,
  { by, bindings, credentialsOf, agreed }: Enrolment,
): Promise<void> {
  for (const { connector, provider } of bindings) {
    for (const [product, values] of Object.entries(credentialsOf({ connector, provider }))) {
      const key = { connector, account: provider, product };
      await changeCredentials(engine, { by, ...key, values: { ...values, ...agreed } });
    }
  }
}

/** Which fake carries which providers, for people. */
export function listCarriers({ fakes, bindings }: RunningFakes) {
  return [...fakes].map(([connector, { url }]) => {
    const own = bindings.filter((one) => one.connector === connector);
    return { connector, url, providers: own.map(({ provider }) => provider) };
  });
}

function requireOperator(name: string): Operator {
  const operator = OPERATORS[name];
  if (operator === undefined) throw new Error(`There is no connector ${name}.`);
  return operator;
}
