// Executes the plan of faults, and makes the operator misbehave all the time. A fault that is impossible at its time
// (the victim is already dead, the database is down) is skipped: the counts show what really happened.
import { setTimeout as sleep } from 'node:timers/promises';
import { moveMerchant } from '../../server/src/core/cells/moving/move-merchant.ts';
import { changeAvailability } from '../../server/src/core/merchants/administer-merchants.ts';
import { readShapes } from '../../server/src/store/cells/moving/copy-rows.ts';
import { streamOf, type Random } from '../kit/random.ts';
import { BY } from '../kit/settings.ts';
import type { Fleet, Victim } from '../kit/fleet.ts';
import { InFlight } from '../kit/in-flight.ts';
import { NODES, type NodeName } from '../kit/database-cluster.ts';
import { forge } from './forge.ts';
import type { Load } from '../kit/load/load.ts';
import type { Fault, PlannedFault } from './plan.ts';
import type { Setup } from './setup.ts';
import { measureTakeover } from './takeover.ts';

const NO_FAULTS = {
  kills: 0,
  poolerKills: 0,
  pauses: 0,
  failovers: 0,
  switchovers: 0,
  /** Of failovers and switchovers, each at most: without an accepted payment, and of that after the promotion. */
  longestWithoutWriteMs: 0,
  longestAfterPromotionMs: 0,
  skews: 0,
  farSkews: 0,
  farApiSkews: 0,
  cuts: 0,
  refusals: 0,
  accountReplacements: 0,
  forgeries: 0,
  deploys: 0,
  migrations: 0,
  operatorFaults: 0,
  /** Of all these, those that hit the second cell. */
  inSecondCell: 0,
  /** Of the merchant that lives now in one cell, now in the other. */
  moves: 0,
};

export type FaultCounts = typeof NO_FAULTS;

export class FaultRunner {
  readonly counts: FaultCounts = { ...NO_FAULTS };
  readonly #setup: Setup;
  readonly #load: Load;
  readonly #random: Random;
  readonly #onFault: (text: string) => void;
  readonly #inFlight = new InFlight();
  #isFailingOver = false;
  #isMoving = false;
  #isOver = false;

  constructor(options: { setup: Setup; load: Load; seed: number; onFault: (text: string) => void }) {
    this.#setup = options.setup;
    this.#load = options.load;
    this.#random = streamOf(options.seed, 'victims');
    this.#onFault = options.onFault;
  }

  /** Runs the plan to its end, and waits until all its faults are over. */
  async run(plan: readonly PlannedFault[], lengthMs: number): Promise<void> {
    const startedAt = Date.now();
    const operator = this.#vexOperator();
    for (const { atMs, fault } of plan) {
      await sleep(Math.max(0, startedAt + atMs - Date.now()));
      this.#inFlight.add(
        this.#carryOut(fault).catch((error: unknown) =>
          this.#onFault(`${fault.type} was not carried out: ${String(error)}`),
        ),
      );
    }
    await sleep(Math.max(0, startedAt + lengthMs - Date.now()));
    this.#isOver = true;
    await operator;
    await this.#inFlight.ended();
  }

  async #carryOut(fault: Fault): Promise<void> {
    const { fleet, second, balancer, merchants, newerBuild } = this.#setup;
    this.#onFault(JSON.stringify(fault));
    switch (fault.type) {
      case 'KILL':
        await this.#strike(fault.victim, 'kills', (owner, name) => owner.kill(name, fault.awayMs));
        return fault.victim === 'simulator' ? this.#enrolAgain() : undefined;
      case 'PAUSE':
        return this.#strike(fault.victim, 'pauses', (owner, name) => owner.pause(name, fault.forMs));
      case 'SKEW_CLOCK':
        return this.#strike(fault.victim, 'skews', (owner, name) => owner.skew(name, fault.byMs));
      case 'SKEW_FAR':
        return this.#skewFar(fault);
      case 'CUT_CONNECTIONS':
        this.counts.cuts += 1;
        return balancer.cutConnections();
      case 'REFUSE_DATABASE':
        this.counts.refusals += 1;
        return this.#refuseDatabase(fault.forMs);
      case 'REPLACE_ACCOUNT':
        return untilDone(() => this.#replaceAccount());
      case 'FORGE':
        this.counts.forgeries += await forge(this.#setup, this.#random);
        return;
      case 'FAIL_OVER':
        return this.#failOver(fault.awayMs);
      case 'SWITCH_OVER':
        return this.#switchOver();
      case 'KILL_STANDBY':
        return this.#killStandby(fault.awayMs);
      case 'KILL_POOLER':
        if (await this.#setup.pooler.kill(fault.awayMs)) this.counts.poolerKills += 1;
        return;
      case 'FILL_QUEUE': {
        const merchant = merchants[fault.merchant];
        if (merchant === undefined) return;
        await merchant.endpoint.change('HANG');
        await this.#load.burst(merchant, fault.payments);
        await sleep(fault.forMs);
        return merchant.endpoint.change('GOOD');
      }
      case 'FLAP_ENDPOINT': {
        const endpoint = merchants[fault.merchant]?.endpoint;
        await endpoint?.change(fault.mode);
        await sleep(fault.forMs);
        return endpoint?.change('GOOD');
      }
      case 'MOVE_MERCHANT':
        return this.#moveMerchant();
      case 'DELAY_PROVIDER':
        return this.#delayProvider(fault.provider, fault.forMs);
      case 'DEPLOY':
        await Promise.all(
          [fleet, ...(second === null ? [] : [second.fleet])].map((one) => one.deploy(newerBuild)),
        );
        this.counts.deploys += 1;
        this.counts.migrations += 1;
    }
  }

  /** Mostly the first cell's; operators are with it. */
  #fleetOf(victim: Victim): Fleet {
    const { fleet, second } = this.#setup;
    return second !== null && victim !== 'simulator' && this.#random.chance(0.3) ? second.fleet : fleet;
  }

  /** Either cell's: then the other one finds it silent. */
  async #refuseDatabase(forMs: number): Promise<void> {
    const { balancer, second } = this.#setup;
    if (second === null || this.#random.chance(0.6)) return balancer.refuseDatabase(forMs);
    this.counts.inSecondCell += 1;
    await second.refuseDatabase(forMs);
  }

  /** A running one, if there is any. */
  async #strike(
    victim: Victim,
    count: 'kills' | 'pauses' | 'skews',
    work: (fleet: Fleet, name: string) => Promise<void>,
  ): Promise<void> {
    const fleet = this.#fleetOf(victim);
    const running = fleet.running(victim);
    if (running.length === 0) return;
    this.counts[count] += 1;
    if (fleet !== this.#setup.fleet) this.counts.inSecondCell += 1;
    await work(fleet, this.#random.pick(running).name);
  }

  /** When it is running: the host stores its current keys. */
  async #enrolAgain(): Promise<void> {
    await this.#setup.fleet.waitUntilUp();
    await untilDone(() => this.#setup.accounts.enrol());
  }

  async #replaceAccount(): Promise<void> {
    const isReplaced = await this.#setup.accounts.replaceOne((names) => this.#random.pick(names));
    if (isReplaced) this.counts.accountReplacements += 1;
  }

  async #skewFar({ victim, byMs, forMs }: Extract<Fault, { type: 'SKEW_FAR' }>): Promise<void> {
    const fleet = this.#fleetOf(victim);
    const [first] = fleet.running(victim);
    if (first === undefined) return;
    this.counts[victim === 'api' ? 'farApiSkews' : 'farSkews'] += 1;
    await fleet.skew(first.name, byMs);
    await sleep(forMs);
    await fleet.skew(first.name, 0);
  }

  /** Kills the primary's whole node, waits until the standby has taken over, and restarts the old one. */
  async #failOver(awayMs: number): Promise<void> {
    await this.#killNode(
      awayMs,
      (primary) => primary,
      async (before, since) => {
        if (await this.#isTakenOver(before, since)) this.counts.failovers += 1;
      },
    );
  }

  async #switchOver(): Promise<void> {
    await this.#alone(async ({ cluster }) => {
      const before = await cluster.primary();
      const since = performance.now();
      // It answers when all is over: the promotion is seen before.
      const [isOver] = await Promise.all([this.#isTakenOver(before, since), cluster.switchOver()]);
      if (isOver) this.counts.switchovers += 1;
    });
  }

  async #isTakenOver(before: NodeName | null, since: number): Promise<boolean> {
    const { cluster } = this.#setup;
    const { acknowledgedAt } = this.#load;
    const takeover = await measureTakeover({ cluster, acknowledgedAt, before, since });
    const { isWhole, withoutWriteMs, afterPromotionMs } = takeover;
    const { counts } = this;
    counts.longestWithoutWriteMs = Math.max(counts.longestWithoutWriteMs, withoutWriteMs);
    counts.longestAfterPromotionMs = Math.max(counts.longestAfterPromotionMs, afterPromotionMs);
    this.#onFault(`no payment accepted for ${withoutWriteMs} ms, ${afterPromotionMs} ms after the promotion`);
    return isWhole;
  }

  async #killStandby(awayMs: number): Promise<void> {
    // Many are planned. Failovers are few, and wait until the database is healthy again.
    if (this.#isFailingOver) return;
    await this.#killNode(awayMs, (primary) => NODES.find((name) => name !== primary) ?? null);
  }

  async #killNode(
    awayMs: number,
    pick: (primary: NodeName | null) => NodeName | null,
    afterKill: (killed: NodeName, since: number) => Promise<void> = async () => undefined,
  ): Promise<void> {
    await this.#alone(async ({ cluster }) => {
      const node = pick(await cluster.primary());
      if (node === null) return;
      this.counts.kills += 1;
      const since = performance.now();
      const restart = cluster.kill(node);
      await afterKill(node, since);
      await sleep(awayMs);
      restart();
    });
  }

  /** One at a time, and only while the database is healthy. */
  async #alone(work: (setup: Setup) => Promise<void>): Promise<void> {
    while (this.#isFailingOver) await sleep(100);
    this.#isFailingOver = true;
    try {
      const { cluster } = this.#setup;
      await cluster.waitUntilWhole();
      await work(this.#setup);
      await cluster.waitUntilWhole();
    } finally {
      this.#isFailingOver = false;
    }
  }

  /** Tried again after whatever cut it off, until the merchant has arrived. One at a time. */
  async #moveMerchant(): Promise<void> {
    const { admin, second } = this.#setup;
    const merchantId = second?.merchants[0]?.merchantId;
    if (second === null || merchantId === undefined || this.#isMoving) return;
    this.#isMoving = true;
    try {
      const engines = [second.admin.engine, admin.engine];
      const [from, to] = this.counts.moves % 2 === 0 ? engines : engines.toReversed();
      if (from === undefined || to === undefined) return;
      await untilDone(async () => {
        const shapes = await readShapes(from.store.database);
        const order = { merchantId, home: '0001', by: BY, onProgress: () => undefined, signal: undefined };
        const answer = await moveMerchant({ from, to, shapes }, order);
        if (answer.type !== 'MOVED') throw new Error(answer.type);
      });
      this.counts.moves += 1;
    } finally {
      this.#isMoving = false;
    }
  }

  /** Outgoing payments have to wait, so that cancellations find them. */
  async #delayProvider(number: number, forMs: number): Promise<void> {
    const { admin, markets } = this.#setup;
    const { engine } = admin;
    const provider = markets[number % markets.length]?.code ?? '';
    const set = async (status: 'DELAYED' | 'OPERATIONAL') => {
      for (const operation of ['PAYOUT', 'REFUND', 'REMITTANCE'] as const) {
        await untilDone(() => changeAvailability(engine, { by: 'chaos', provider, operation, status }));
      }
    };
    await set('DELAYED');
    await sleep(forMs);
    await set('OPERATIONAL');
  }

  /** The operator loses, delays, fakes, forges and contradicts a part of everything. */
  async #vexOperator(): Promise<void> {
    const operators = [...this.#setup.operatorUrls];
    while (!this.#isOver) {
      await sleep(this.#random.waitMs(350));
      const generated = randomOperatorFault(this.#random);
      const [name, url] = this.#random.pick(operators);
      const fault = name.startsWith('mpesa-daraja') ? possibleAtDaraja(generated) : generated;
      const answer = await fetch(`${url}/control/faults`, {
        method: 'POST',
        body: JSON.stringify(fault),
        signal: AbortSignal.timeout(1_000),
      }).catch(() => null);
      if (answer?.ok === true) this.counts.operatorFaults += 1;
    }
  }
}

/** Daraja's answer about a deposit has no amount: only its report would show a different one. */
function possibleAtDaraja(fault: object): object {
  return 'type' in fault && fault.type === 'WRONG_AMOUNT' ? { ...fault, operation: 'PAYOUT' } : fault;
}

async function untilDone(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const isDone = await work().then(
      () => true,
      () => false,
    );
    if (isDone) return;
    await sleep(500);
  }
  throw new Error('it could not be done within five minutes');
}

function randomOperatorFault(random: Random): object {
  const step = random.pick(['submit', 'query', 'token']);
  const when = random.pick(['BEFORE', 'AFTER']);
  return random.pickWeighted<object>([
    [6, { type: 'LOSE_ANSWER', step }],
    [2, { type: 'UNREADABLE_ANSWER', step }],
    [4, { type: 'ERROR', httpStatus: random.pick([500, 502, 503]), step, when }],
    [3, { type: 'HANG', step, when }],
    [4, { type: 'DELAY', delayMs: random.between(200, 3_000), step, when }],
    [1, { type: 'WRONG_AMOUNT' }],
    [2, { type: 'UNKNOWN_CODE', failureCode: 'E9999' }],
    [4, { type: 'NO_NOTIFICATION' }],
    [4, { type: 'DOUBLE_NOTIFICATION' }],
    [3, { type: 'LATE_NOTIFICATION', delayMs: random.between(500, 6_000) }],
    [4, { type: 'FORGED_NOTIFICATION', only: random.chance(0.5) }],
    [1, { type: 'CONTRADICTING_NOTIFICATION', delayMs: random.between(100, 4_000) }],
  ]);
}
