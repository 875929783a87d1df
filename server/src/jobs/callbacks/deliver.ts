// Delivers callbacks: leases lanes and lets each work through its callbacks at its own pace. Lanes share what is done
// in batches: taking callbacks with their bodies, and writing down what came of them.
import type { CallbackPoster } from '../../callbacks/post.ts';
import { createBatcher } from '../../store/batch.ts';
import type { Engine } from '../../core/engine.ts';
import { later } from '../../core/schedule.ts';
import { togetherOrAlone } from '../../core/together-or-alone.ts';
import { leaseLanes, reportLanes, type LeasedLane } from '../../store/callbacks/endpoint-queues.ts';
import {
  listDueCallbacks,
  recordDeliveries,
  type DueCallback,
  type Wish,
} from '../../store/callbacks/callbacks.ts';
import { inTransaction } from '../../store/database.ts';
import { withBodies } from './callback-bodies.ts';
import { Lane, type LaneDesk, type LaneEntry } from './endpoint-queue.ts';
import type { Background, Round } from '../loop.ts';

export type DeliverRoundOptions = {
  /** As many callbacks at once to one endpoint: a small merchant's server must live through it. */
  readonly placesPerLaneMax: number;
  /** As long as an endpoint may take to answer. */
  readonly timeoutMs: number;
  /** Longer than a delivery can take. If we crash, the lane is free again after this. */
  readonly leaseMs: number;
  /** An endpoint that has acknowledged nothing for so long is switched off. */
  readonly switchOffAfterMs: number;
  readonly onError: (error: unknown) => void;
};

/** Lanes that answer promptly. Each is a few sockets at most while it is new, and done in a moment. */
const PROMPT_LANES_MAX = 256;
/** Lanes of endpoints that fail. Each holds a socket for as long as the time-out, one while its breaker is open. */
const FAILING_LANES_MAX = 64;
/** Everything, those included that stopped answering while we held them. */
const LANES_MAX = 1_024;
/** A lane whose bodies cannot be had is left alone for so long: asking at full speed would not bring them. */
const PAUSE_WITHOUT_BODIES_MS = 5_000;
/** A process has only so many. Beyond this a lane has one and no more. */
const SOCKETS_MAX = 1_024;

/** A held lane looks for what became due meanwhile no more often than this, however often the loop is woken. */
const LOOK_INTERVAL_MS = 50;

/** Taken with the lease. The rest is taken as places become free. */
const CALLBACKS_WITH_LEASE_MAX = 8;

export function createDeliverRound(engine: Engine, poster: CallbackPoster, options: DeliverRoundOptions) {
  const lanes = new Set<Lane>();
  const take = createTaker(engine, options.onError);
  const record = createRecorder(engine);
  const sockets = createSocketCount();
  let lastLook = -Infinity;
  return async (background: Background): Promise<Round> => {
    const { isStopping } = background;
    const desk: LaneDesk = { ...options, engine, poster, take, record, sockets, isStopping };
    if (performance.now() - lastLook >= LOOK_INTERVAL_MS) {
      lastLook = performance.now();
      for (const lane of lanes) lane.look();
    }
    const leased = await leaseFreeLanes(engine, lanes, options);
    for (const one of await readyLanes(engine, leased, options.onError)) {
      const lane = new Lane(desk, one);
      lanes.add(lane);
      background.run(() => lane.run().finally(() => lanes.delete(lane)));
    }
    return leased.length > 0 ? 'MORE' : 'IDLE';
  };
}

/**
 * How many more lanes may be leased. Those leased as failing have places that no other lane can take, however slowly
 * it answers: an endpoint that is mended must be found to be so.
 */
export function freePlaces(held: readonly Pick<Lane, 'isPrompt' | 'isOnTrial'>[]) {
  const prompt = held.filter((lane) => lane.isPrompt()).length;
  const onTrial = held.filter((lane) => lane.isOnTrial()).length;
  const others = held.length - onTrial;
  return {
    SOUND: Math.min(LANES_MAX - FAILING_LANES_MAX - others, PROMPT_LANES_MAX - prompt),
    FAILING: Math.min(LANES_MAX - held.length, FAILING_LANES_MAX - onTrial),
  };
}

async function leaseFreeLanes(
  engine: Engine,
  held: ReadonlySet<Lane>,
  { leaseMs, onError }: DeliverRoundOptions,
): Promise<readonly LeasedLane[]> {
  const places = freePlaces([...held]);
  const now = engine.clock.now();
  const except = [...held].map(({ endpointId }) => endpointId);
  const leased: LeasedLane[] = [];
  for (const among of ['SOUND', 'FAILING'] as const) {
    if (places[among] <= 0) continue;
    const lease = { now, leasedUntil: later(now, leaseMs), among, lanesMax: places[among], except };
    const callbacksPerLaneMax = among === 'SOUND' ? CALLBACKS_WITH_LEASE_MAX : 1;
    try {
      leased.push(...(await leaseLanes(engine.store.database, { ...lease, callbacksPerLaneMax })));
    } catch (error) {
      // What is leased already must be worked on, or nobody would until the leases run out.
      if (leased.length === 0) throw error;
      onError(error);
    }
  }
  return leased;
}

/** Gives leased lanes the bodies of their callbacks. One that cannot get them is given back, and costs only itself. */
async function readyLanes(
  engine: Engine,
  leased: readonly LeasedLane[],
  onError: (error: unknown) => void,
): Promise<readonly LeasedLane[]> {
  const fetchBodies = async (lanes: readonly LeasedLane[]) => {
    const due = lanes.flatMap(({ callbacks }) => callbacks);
    const byEndpoint = Map.groupBy(await withBodies(engine, due, onError), ({ endpointId }) => endpointId);
    return lanes.map((lane) => ({ ...lane, callbacks: byEndpoint.get(lane.endpointId) ?? [] }));
  };
  const ready = await togetherOrAlone(leased, fetchBodies, onError);
  const isReady = new Set(ready.map(({ endpointId }) => endpointId));
  await giveBack(
    engine,
    leased.filter(({ endpointId }) => !isReady.has(endpointId)),
    onError,
  );
  return ready;
}

async function giveBack(
  engine: Engine,
  lanes: readonly LeasedLane[],
  onError: (error: unknown) => void,
): Promise<void> {
  const now = engine.clock.now();
  const reports = lanes.map(({ callbacks, ...lane }) => ({
    ...lane,
    url: callbacks[0]?.url ?? '',
    nextLeasedUntil: now,
    pausedUntil: later(now, PAUSE_WITHOUT_BODIES_MS),
  }));
  try {
    await reportLanes(engine.store.database, reports);
  } catch (error) {
    // The leases run out.
    onError(error);
  }
}

function createSocketCount(): LaneDesk['sockets'] {
  let inUse = 0;
  return {
    hasRoom: () => inUse < SOCKETS_MAX,
    use: async (work) => {
      inUse += 1;
      try {
        return await work();
      } finally {
        inUse -= 1;
      }
    },
  };
}

/** Takes callbacks for several lanes with one statement, and their bodies with two more. */
function createTaker(engine: Engine, onError: (error: unknown) => void) {
  return createBatcher<Wish, readonly DueCallback[]>(async (wishes) => {
    const due = await listDueCallbacks(engine.store.database, wishes, engine.clock.now());
    const byEndpoint = Map.groupBy(await withBodies(engine, due, onError), ({ endpointId }) => endpointId);
    return wishes.map(({ endpointId }) => byEndpoint.get(endpointId) ?? []);
  });
}

/** Writes down what came of callbacks and lanes: whatever arrives while one batch is written goes into the next. */
function createRecorder(engine: Engine) {
  const { database, keyring } = engine.store;
  return createBatcher<LaneEntry, boolean>(async (entries) => {
    const deliveries = entries.flatMap((entry) => entry.deliveries);
    const reports = entries.flatMap(({ report }) => report ?? []);
    if (reports.length === 0) {
      // One statement is its own transaction: three round trips less for most of what is written.
      await recordDeliveries(database, keyring, deliveries);
      return entries.map(() => true);
    }
    return inTransaction(database, async (tx) => {
      await recordDeliveries(tx, keyring, deliveries);
      const held = await reportLanes(tx, reports);
      return entries.map(({ report }) => report === null || held.has(report.endpointId));
    });
  });
}
