// The requests of a run, each generated from the seed and its own number, so that each can be repeated alone.
import { streamOf } from '../kit/random.ts';
import { randomAddressCase, randomQueryCase } from './address-cases.ts';
import { randomBrokenCase, randomValueCase } from './body-cases.ts';
import type { ApiVersion, Operation } from './document.ts';
import { randomFramingCase } from './framing-cases.ts';
import { randomCompressedCase, randomHeaderCase, randomTokenCase } from './header-cases.ts';
import { randomNotificationCase, randomPageCase, randomSignInCase } from './people-cases.ts';
import { randomSignatureCase } from './signature-cases.ts';
import type { Case, Family, Scene, World } from './world.ts';

/** Out of a hundred. */
const WEIGHTS: Readonly<Record<Family, number>> = {
  'values of API v2': 28,
  'values of API v1': 12,
  'values of the console': 14,
  'broken JSON': 8,
  addresses: 9,
  queries: 5,
  headers: 4,
  tokens: 4,
  signatures: 5,
  'compressed bodies': 1,
  framing: 3,
  'hosted pages': 3,
  notifications: 3.5,
  'sign-in': 0.5,
};

export function randomCase(
  { seed, number }: { readonly seed: number; readonly number: number },
  world: World,
  operations: readonly Operation[],
): Case {
  const random = streamOf(seed, `request/${number}`);
  const family = random.weighted(WEIGHTS);
  const scene = { random, world, market: random.pick(world.markets) };
  return randomIn(family, scene, operations);
}

function randomIn(family: Family, scene: Scene, operations: readonly Operation[]): Case {
  const { random } = scene;
  /** Picks one of the selected operations. */
  const forOne = (
    generate: (operation: Operation, at: Scene) => Case,
    isMeant: (operation: Operation) => boolean,
  ) => {
    const operation = random.pick(operations.filter(isMeant));
    const { consoleMarkets } = scene.world;
    const isConsole = operation.apiVersion === 'console';
    return generate(operation, isConsole ? { ...scene, market: random.pick(consoleMarkets) } : scene);
  };
  const valuesOf = (apiVersion: ApiVersion) =>
    forOne(randomValueCase, (one) => withBody(one) && one.apiVersion === apiVersion);
  switch (family) {
    case 'values of API v2':
      return valuesOf('v2');
    case 'values of API v1':
      return valuesOf('v1');
    case 'values of the console':
      return valuesOf('console');
    case 'broken JSON':
      return forOne(randomBrokenCase, withBody);
    case 'addresses':
      return forOne(randomAddressCase, () => true);
    case 'queries':
      return forOne(randomQueryCase, ({ inQuery }) => inQuery.length > 0);
    case 'headers':
      return forOne(randomHeaderCase, () => true);
    case 'tokens':
      return forOne(randomTokenCase, () => true);
    case 'signatures':
      return forOne(randomSignatureCase, mustBeSigned);
    case 'compressed bodies':
      return forOne(randomCompressedCase, withBody);
    case 'framing':
      return randomFramingCase(scene);
    case 'hosted pages':
      return randomPageCase(scene);
    case 'notifications':
      return randomNotificationCase(scene);
    case 'sign-in':
      return randomSignInCase(scene);
  }
}

function withBody({ body }: Operation): boolean {
  return body !== null;
}

/** The operations that need a signature from a merchant who must sign. */
function mustBeSigned({ apiVersion, path, body }: Operation): boolean {
  return (
    body !== null &&
    apiVersion !== 'console' &&
    /\/(deposits|payouts|refunds|remittances|split-payments)(\/bulk)?$/.test(path)
  );
}
