// The fake of every operator, by connector name. Each is loaded when it starts, and never in production.
import type { StartFake } from './operator-fake.ts';

export type FakeModule = { readonly startFake: StartFake };

export const FAKES: Readonly<Record<string, () => Promise<FakeModule>>> = {
  'mtn-momo': () => import('../../connectors/mtn-momo/fake.ts'),
  'mpesa-daraja': () => import('../../connectors/mpesa-daraja/fake.ts'),
  'airtel-money': () => import('../../connectors/airtel-money/fake.ts'),
  gsma: () => import('../../connectors/gsma/fake.ts'),
  'orange-sonatel': () => import('../../connectors/orange-sonatel/fake.ts'),
  'vodacom-mpesa': () => import('../../connectors/vodacom-mpesa/fake.ts'),
  wave: () => import('../../connectors/wave/fake.ts'),
};

/** Throws if no connector has this name. */
export async function loadFake(name: string): Promise<FakeModule> {
  const load = FAKES[name];
  if (load === undefined) throw new Error(`There is no fake of ${name}.`);
  return load();
}
