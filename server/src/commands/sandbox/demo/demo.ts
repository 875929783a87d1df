// `sandbox --demo`: a month of traffic in a new sandbox, through the API, the engine and the simulator as always. The
// sandbox's clock begins a month ago and ends at real time.
import { setCallbackUrl } from '../../../core/merchants/administer-merchants.ts';
import { countHours } from '../../../core/payments/read/count-hours.ts';
import { DEFAULT_SETTINGS } from '../../../sandbox/fakes/settings.ts';
import type { RunningSimulator } from '../../../sandbox/simulator/simulator.ts';
import { listHomes } from '../../../store/merchants/merchants.ts';
import type { Gateway } from '../../serve/compose.ts';
import type { DemoMerchant } from '../demo-merchant.ts';
import { firstDay, planMoments } from './calendar.ts';
import { planHappenings } from './happenings.ts';
import { Random } from './random.ts';
import { openShops } from './shops.ts';
import { startShopServer } from './shop-server.ts';
import { Traffic } from './traffic.ts';

export type DemoOptions = {
  readonly gateway: Gateway;
  readonly simulator: RunningSimulator;
  readonly days: number;
  readonly onProgress: (text: string) => void;
};

export type DemoPlace = DemoMerchant & {
  readonly baseUrl: string;
  /** Where the demo merchant's callbacks go afterwards. Null: to the server of the demo. */
  readonly callbackUrl: string | null;
};

export type Demo = {
  /** Answers what stops the server that gets the callbacks. */
  readonly play: (place: DemoPlace) => Promise<() => Promise<void>>;
};

const SEED = 7;
const DAY_MS = 86_400_000;
/** Longer than any move of the clock: otherwise each would be followed by a call for a new token. */
const TOKEN_SECONDS = 60 * 86_400;
const PROGRESS_STEPS = 6;

/** Sets the clock back, before anything is created. Null where a demo would rewrite the past. */
export async function openDemo(options: DemoOptions): Promise<Demo | null> {
  const { gateway, days, onProgress } = options;
  const { engine, movableClock: clock } = gateway;
  if (clock === null || (await listHomes(engine.store.database)).size > 0) {
    onProgress('The database is not new: --demo adds nothing');
    return null;
  }
  await clock.move(firstDay(new Date(), days).getTime() - clock.now().getTime());
  return { play: (place) => fill({ ...options, clock }, place) };
}

async function fill(
  {
    gateway,
    simulator,
    clock,
    days,
    onProgress,
  }: DemoOptions & { readonly clock: NonNullable<Gateway['movableClock']> },
  place: DemoPlace,
): Promise<() => Promise<void>> {
  const { engine } = gateway;
  const [from, until] = [clock.now(), new Date()];
  const random = new Random(SEED);
  const server = await startShopServer(new Random(SEED + 1));
  const shops = await openShops(engine, place, server.urlOf);
  simulator.changeSettings({ tokenLifetimeSeconds: TOKEN_SECONDS });
  const { baseUrl } = place;
  const traffic = new Traffic({ engine, clock, simulator, baseUrl, shops, server, random });
  const moments = planMoments(random, until, days);
  const happenings = [
    ...planHappenings({ engine, shops, server, traffic, random, from, until }),
    ...moments.map((moment) => ({ at: moment.at, happen: () => traffic.play(moment) })),
  ].toSorted((a, b) => a.at.getTime() - b.at.getTime());
  let shownDay = 0;
  for (const { at, happen } of happenings) {
    await traffic.moveTo(at.getTime());
    await happen();
    const day = days - Math.floor((until.getTime() - at.getTime()) / DAY_MS);
    if (day < shownDay + days / PROGRESS_STEPS) continue;
    shownDay = day;
    onProgress(`Demo traffic: ${day} of ${days} days, ${traffic.counts.accepted} payments`);
  }
  await traffic.moveTo(Date.now());
  simulator.changeSettings({ tokenLifetimeSeconds: DEFAULT_SETTINGS.tokenLifetimeSeconds });
  while ((await countHours(engine)) === 'MORE');
  const { merchantId, callbackUrl: url } = place;
  if (url !== null) await setCallbackUrl(engine, { by: 'sandbox', merchantId, url });
  return server.stop;
}
