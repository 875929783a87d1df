// Delivers callbacks: leases endpoint queues and lets each work through its callbacks at its own pace. Endpoint queues
// share what is done in batches: taking callbacks with their bodies, and writing down what came of them.
import type { CallbackPoster } from '../../callbacks/post.ts';
import { createBatcher } from '../../store/batch.ts';
import type { Engine } from '../../core/engine.ts';
import { addMs } from '../../domain/time.ts';
import { togetherOrAlone } from '../../core/together-or-alone.ts';
import {
  isAnyQueueDue,
  leaseEndpointQueues,
  reportEndpointQueues,
  type LeasedEndpointQueue,
} from '../../store/callbacks/endpoint-queues.ts';
import { inTransaction } from '../../store/database.ts';
import { listDueCallbacks, recordDeliveries, type Wish } from '../../store/callbacks/callbacks.ts';
import { withBodies } from './callback-bodies.ts';
import {
  EndpointQueue,
  type EndpointQueueContext,
  type EndpointQueueEntry,
  type TakenCallbacks,
} from './endpoint-queue.ts';
import type { Background, Round } from '../loop.ts';
import { runningFrom } from './running-time.ts';

export type DeliverRoundOptions = {
  /** As many callbacks at once to one endpoint: a small merchant's server must live through it. */
  readonly slotsPerEndpointQueueMax: number;
  /** As long as an endpoint may take to answer. */
  readonly timeoutMs: number;
  /** Longer than a delivery can take. If we crash, the endpoint queue is free again after this. */
  readonly leaseMs: number;
  /** An endpoint that has acknowledged nothing for so long is switched off. */
  readonly switchOffAfterMs: number;
  readonly onError: (error: unknown) => void;
};

/** Endpoint queues that answer promptly. Each is a few sockets at most while it is new, and done in a moment. */
const PROMPT_ENDPOINT_QUEUES_MAX = 256;
/**
 * Endpoint queues of endpoints that fail. Each holds a socket for as long as the time-out, one while its breaker is
 * open.
 */
const FAILING_ENDPOINT_QUEUES_MAX = 64;
/** Everything, those included that stopped answering while we held them. */
const ENDPOINT_QUEUES_MAX = 1_024;
/**
 * An endpoint queue whose bodies cannot be had is left alone for so long: asking at full speed would not bring them.
 */
const PAUSE_WITHOUT_BODIES_MS = 5_000;
/** A process has only so many. Beyond this an endpoint queue has one and no more. */
const SOCKETS_MAX = 1_024;

/**
 * A held endpoint queue looks for what became due meanwhile no more often than this, however often the loop is woken.
 */
const LOOK_INTERVAL_MS = 50;

/** Taken with the lease. The rest is taken as places become free. */
const CALLBACKS_WITH_LEASE_MAX = 8;

export function createDeliverRound(engine: Engine, poster: CallbackPoster, options: DeliverRoundOptions) {
  const endpointQueues = new Set<EndpointQueue>();
  const take = createTaker(engine, options.onError);
  const record = createRecorder(engine);
  const sockets = createSocketCount();
  let lastLook = -Infinity;
  return async (background: Background): Promise<Round> => {
    const { isStopping } = background;
    const context: EndpointQueueContext = { ...options, engine, poster, take, record, sockets, isStopping };
    if (performance.now() - lastLook >= LOOK_INTERVAL_MS) {
      lastLook = performance.now();
      for (const endpointQueue of endpointQueues) endpointQueue.look();
    }
    // Receivers refuse what is signed with a wrong time.
    if (engine.clockCheck.isOff) return 'IDLE';
    const { database } = engine.store;
    const except = [...endpointQueues].map(({ endpointId }) => endpointId);
    // Most rounds find nothing, by whatever clock; what is leased has the database's time.
    const looked = { now: engine.clockCheck.notBehind(engine.clock.now()), except };
    if (!(await isAnyQueueDue(database, looked))) return 'IDLE';
    const now = await engine.clock.timeOf(database);
    const time = runningFrom(now);
    const leased = await leaseFreeEndpointQueues(engine, endpointQueues, { ...options, now });
    for (const one of await readyEndpointQueues(engine, leased, { now, onError: options.onError })) {
      const endpointQueue = new EndpointQueue(context, one, time);
      endpointQueues.add(endpointQueue);
      background.run(() => endpointQueue.run().finally(() => endpointQueues.delete(endpointQueue)));
    }
    return leased.length > 0 ? 'MORE' : 'IDLE';
  };
}

/**
 * How many more endpoint queues may be leased. Those leased as failing have places that no other endpoint queue can
 * take, however slowly it answers: an endpoint that is fixed must be found to be so.
 */
export function freeSlots(held: readonly Pick<EndpointQueue, 'isPrompt' | 'isOnTrial'>[]) {
  const prompt = held.filter((endpointQueue) => endpointQueue.isPrompt()).length;
  const onTrial = held.filter((endpointQueue) => endpointQueue.isOnTrial()).length;
  const others = held.length - onTrial;
  return {
    SOUND: Math.min(
      ENDPOINT_QUEUES_MAX - FAILING_ENDPOINT_QUEUES_MAX - others,
      PROMPT_ENDPOINT_QUEUES_MAX - prompt,
    ),
    FAILING: Math.min(ENDPOINT_QUEUES_MAX - held.length, FAILING_ENDPOINT_QUEUES_MAX - onTrial),
  };
}

async function leaseFreeEndpointQueues(
  engine: Engine,
  held: ReadonlySet<EndpointQueue>,
  { leaseMs, onError, now }: DeliverRoundOptions & { readonly now: Date },
): Promise<readonly LeasedEndpointQueue[]> {
  const places = freeSlots([...held]);
  const except = [...held].map(({ endpointId }) => endpointId);
  const leased: LeasedEndpointQueue[] = [];
  for (const among of ['SOUND', 'FAILING'] as const) {
    if (places[among] <= 0) continue;
    const lease = { now, leasedUntil: addMs(now, leaseMs), among, endpointQueuesMax: places[among], except };
    const callbacksPerEndpointQueueMax = among === 'SOUND' ? CALLBACKS_WITH_LEASE_MAX : 1;
    try {
      leased.push(
        ...(await leaseEndpointQueues(engine.store.database, { ...lease, callbacksPerEndpointQueueMax })),
      );
    } catch (error) {
      // What is leased already must be worked on, or no one would until the leases run out.
      if (leased.length === 0) throw error;
      onError(error);
    }
  }
  return leased;
}

/**
 * Gives leased endpoint queues the bodies of their callbacks. One that cannot get them is given back, and costs only
 * itself.
 */
async function readyEndpointQueues(
  engine: Engine,
  leased: readonly LeasedEndpointQueue[],
  { now, onError }: { readonly now: Date; readonly onError: (error: unknown) => void },
): Promise<readonly LeasedEndpointQueue[]> {
  const fetchBodies = async (endpointQueues: readonly LeasedEndpointQueue[]) => {
    const due = endpointQueues.flatMap(({ callbacks }) => callbacks);
    const byEndpoint = Map.groupBy(await withBodies(engine, due, onError), ({ endpointId }) => endpointId);
    return endpointQueues.map((endpointQueue) => ({
      ...endpointQueue,
      callbacks: byEndpoint.get(endpointQueue.endpointId) ?? [],
    }));
  };
  const ready = await togetherOrAlone(leased, fetchBodies, onError);
  const isReady = new Set(ready.map(({ endpointId }) => endpointId));
  await giveBack(
    engine,
    leased.filter(({ endpointId }) => !isReady.has(endpointId)),
    { now, onError },
  );
  return ready;
}

async function giveBack(
  engine: Engine,
  endpointQueues: readonly LeasedEndpointQueue[],
  { now, onError }: { readonly now: Date; readonly onError: (error: unknown) => void },
): Promise<void> {
  const reports = endpointQueues.map(({ callbacks, ...endpointQueue }) => ({
    ...endpointQueue,
    url: callbacks[0]?.url ?? '',
    nextLeasedUntil: now,
    pausedUntil: addMs(now, PAUSE_WITHOUT_BODIES_MS),
  }));
  try {
    await reportEndpointQueues(engine.store.database, reports);
  } catch (error) {
    // The leases run out.
    onError(error);
  }
}

function createSocketCount(): EndpointQueueContext['sockets'] {
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

/** Takes callbacks for several endpoint queues with two statements, and their bodies with two more. */
function createTaker(engine: Engine, onError: (error: unknown) => void) {
  return createBatcher<Wish, TakenCallbacks>(async (wishes) => {
    const now = await engine.clock.timeOf(engine.store.database);
    const time = runningFrom(now);
    const due = await listDueCallbacks(engine.store.database, wishes, now);
    const byEndpoint = Map.groupBy(await withBodies(engine, due, onError), ({ endpointId }) => endpointId);
    return wishes.map(({ endpointId }) => ({ callbacks: byEndpoint.get(endpointId) ?? [], time }));
  });
}

/**
 * Writes down what came of callbacks and endpoint queues: whatever arrives while one batch is written goes into the
 * next.
 */
function createRecorder(engine: Engine) {
  const { database, keyring } = engine.store;
  return createBatcher<EndpointQueueEntry, boolean>(async (entries) => {
    const deliveries = entries.flatMap((entry) => entry.deliveries);
    const reports = entries.flatMap(({ report }) => report ?? []);
    if (reports.length === 0) {
      // One statement is its own transaction: three round trips less for most of what is written.
      await recordDeliveries(database, keyring, deliveries);
      return entries.map(() => true);
    }
    return inTransaction(database, async (tx) => {
      await recordDeliveries(tx, keyring, deliveries);
      const held = await reportEndpointQueues(tx, reports);
      return entries.map(({ report }) => report === null || held.has(report.endpointId));
    });
  });
}
