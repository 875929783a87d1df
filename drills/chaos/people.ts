// People at work during a run, in both cells: a merchant's user who requests settlements under identifiers that
// somebody else has, and the platform's people who pay them and record top-ups under references of the bank that meet
// in both cells. Processes of theirs have clocks that are wrong by hours. What was answered is remembered for the
// verdict.
import { randomBytes, randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as Deciding from '../../server/src/core/approvals/decide.ts';
import type { Engine } from '../../server/src/core/engine.ts';
import type * as Money from '../../server/src/core/ledger/request-money-movement.ts';
import type * as Reports from '../../server/src/core/reconciliation/import-report.ts';
import type * as Voiding from '../../server/src/core/reconciliation/void-file.ts';
import type * as Accounts from '../../server/src/core/settlements/bank-accounts.ts';
import type * as Decisions from '../../server/src/core/settlements/decide-settlement.ts';
import type * as Settlements from '../../server/src/core/settlements/request-settlement.ts';
import { parseSigned, type Amount } from '../../server/src/domain/money.ts';
import type { OperatorReportLine } from '../../server/src/domain/reconciliation/operator-report.ts';
import { findApproval } from '../../server/src/store/approvals/approvals.ts';
import { ANA, BEN } from '../../server/test/approval-requests.ts';
import { inProcessOff } from '../../server/test/clocks.ts';
import type { Build } from '../kit/builds.ts';
import type { Random } from '../kit/random.ts';
import type { Say } from '../kit/program.ts';

/** A settlement that its merchant was told is requested. */
export type AcknowledgedSettlement = {
  readonly merchantId: string;
  readonly requestId: string;
  readonly settlementId: string;
  readonly amount: Amount;
};

export type PeopleCounts = {
  settlements: number;
  /** Of these, those under an identifier that something else has, or another merchant's settlement. */
  chosenIdentifiers: number;
  decisions: number;
  topUps: number;
  /** References that were refused because they were used, in this cell or the other one. */
  refusedReferences: number;
  voidedFiles: number;
  /** Refused because the other cell did not answer. */
  silentCells: number;
};

/** A merchant at work, and which wallet of it is settled. */
export type Employer = { readonly merchantId: string; readonly walletProvider: string };

/** A report with wrong amounts that two people voided, and the corrected one. */
export type VoidedReport = { readonly home: string; readonly wrong: string; readonly right: string };

type Core = typeof Deciding &
  typeof Money &
  typeof Accounts &
  typeof Decisions &
  typeof Settlements &
  typeof Reports &
  typeof Voiding;

/** Of the run's own build: a rule that is broken there is broken for people too. */
async function loadCore({ mainPath }: Build): Promise<Core> {
  const core = join(dirname(mainPath), 'core');
  const load = (file: string) => import(pathToFileURL(join(core, file)).href) as Promise<Core>;
  const files = [
    'approvals/decide.ts',
    'ledger/request-money-movement.ts',
    'reconciliation/import-report.ts',
    'reconciliation/void-file.ts',
    'settlements/bank-accounts.ts',
    'settlements/decide-settlement.ts',
    'settlements/request-settlement.ts',
  ];
  return Object.assign({}, ...(await Promise.all(files.map(load)))) as Core;
}

const FRANCS = { country: 'RWA', currency: 'RWF' } as const;
const AMOUNT: Amount = 1_000_000n;
const HOUR_MS = 3_600_000;
const PAUSE_MS = 400;
const FILE_EVERY_MS = 4_000;
const PROVIDER = 'MTN_MOMO_RWA';
/** So few that people of both cells meet at one. */
const REFERENCES = 25;
/** A try that met somebody at work with files counts so little that the lease of a dead process is waited for. */
const BUSY_TRY = 0.05;

export class People {
  readonly counts: PeopleCounts = {
    settlements: 0,
    chosenIdentifiers: 0,
    decisions: 0,
    topUps: 0,
    refusedReferences: 0,
    voidedFiles: 0,
    silentCells: 0,
  };
  readonly acknowledged: AcknowledgedSettlement[] = [];
  readonly voidedReports: VoidedReport[] = [];
  /** Requests that never had an answer, with the last error of each. */
  readonly unanswered: string[] = [];
  readonly #core: Core;
  readonly #engines: readonly Engine[];
  readonly #employers: readonly Employer[];
  readonly #random: Random;
  readonly #moving: string;
  /** Identifiers of others: payments, cases, approvals, transfers, settlements. */
  #seen: string[] = [];
  /** Why settlements were not requested, and how often. */
  readonly #refusals = new Map<string, number>();
  #isOver = false;
  #work: Promise<unknown> = Promise.resolve();

  private constructor(core: Core, options: PeopleOptions) {
    this.#core = core;
    this.#engines = options.engines;
    this.#employers = options.employers;
    this.#random = options.random;
    this.#moving = options.moving;
  }

  /** Registers the merchants' bank accounts. `engines`: one of each cell, of the run's build. */
  static async start(options: PeopleOptions): Promise<People> {
    const people = new People(await loadCore(options.build), options);
    for (const { merchantId } of options.employers) await people.#registerAccount(merchantId);
    return people;
  }

  begin(): void {
    const at = [
      this.#requestSettlements(),
      this.#requestSettlements(),
      this.#decide(),
      this.#topUp(),
      this.#look(),
      ...this.#engines.map((engine) => this.#correctFiles(engine)),
    ];
    this.#work = Promise.all(at);
  }

  /** When all is calm: what is still unanswered is asked once more. */
  async end(say: Say): Promise<void> {
    this.#isOver = true;
    await this.#work;
    const refused = [...this.#refusals].map(([type, count]) => `${type} ${count}`).join(', ');
    const { length: requested } = this.acknowledged;
    say(
      `people: ${requested} settlements requested, refused ${refused || 'none'}; ${this.counts.topUps} top-ups`,
    );
  }

  async #registerAccount(merchantId: string): Promise<void> {
    const account = { bank: 'Bank of Kigali', holder: 'Grace Uwase', number: '00040123456789' };
    const order = { merchantId, currency: FRANCS.currency, account };
    await this.#inCellOf(merchantId, async (engine) => {
      // By a command, as no person of the merchant is signed in: two administrators approve it.
      const actor = { personId: null, by: 'a command' };
      const approvalId = await this.#core.requestBankAccount(engine, { ...order, actor });
      if (approvalId !== null) await this.#approve(engine, approvalId, ANA);
      const answer = approvalId === null ? null : await this.#approve(engine, approvalId);
      if (answer !== 'DONE') throw new Error(`the bank account of ${merchantId} was not approved: ${answer}`);
    });
  }

  async #requestSettlements(): Promise<void> {
    while (!this.#isOver) {
      await sleep(this.#random.waitMs(PAUSE_MS));
      const { merchantId, walletProvider } = this.#random.pick(this.#employers);
      const isChosen = this.#random.chance(0.7) && this.#seen.length > 0;
      const requestId = isChosen ? this.#random.pick(this.#seen) : randomUUID();
      const amount = AMOUNT * BigInt(this.#random.between(1, 5));
      const order = { by: 'Ana', merchantId, requestId, provider: walletProvider, ...FRANCS, amount };
      const what = `settlement ${requestId} of ${merchantId}`;
      const answer = await this.#untilAnswered(what, () =>
        this.#inCellOf(merchantId, (engine) => this.#core.requestSettlement(this.#process(engine), order)),
      );
      if (answer?.type !== 'REQUESTED') {
        const refusal = answer?.type ?? 'UNANSWERED';
        this.#refusals.set(refusal, (this.#refusals.get(refusal) ?? 0) + 1);
        continue;
      }
      const { settlementId } = answer;
      this.counts.settlements += 1;
      if (isChosen) this.counts.chosenIdentifiers += 1;
      this.acknowledged.push({ merchantId, requestId, settlementId, amount });
      this.#seen.push(requestId, settlementId);
    }
  }

  async #decide(): Promise<void> {
    while (!this.#isOver) {
      await sleep(this.#random.waitMs(2 * PAUSE_MS));
      if (this.acknowledged.length === 0) continue;
      const { merchantId, settlementId } = this.#random.pick(this.acknowledged.slice(-20));
      const decision = this.#random.chance(0.5)
        ? ({ decision: 'PAID', reference: this.#reference() } as const)
        : ({ decision: 'REJECTED', reason: 'mistyped' } as const);
      await this.#attempt(merchantId, (engine) =>
        this.#core.requestSettlementDecision(engine, {
          actor: ANA,
          settlementId,
          ...decision,
        }),
      );
      this.counts.decisions += 1;
    }
  }

  /** Often the same reference in both cells at the same moment. */
  async #topUp(): Promise<void> {
    while (!this.#isOver) {
      await sleep(this.#random.waitMs(2 * PAUSE_MS));
      const reference = this.#random.chance(0.5) ? `FT26-${randomUUID()}` : this.#reference();
      await Promise.all(
        this.#employers.map(({ merchantId, walletProvider }) =>
          this.#attempt(merchantId, (engine) =>
            this.#core.requestMoney(engine, {
              actor: ANA,
              merchantId,
              type: 'TOP_UP',
              ...FRANCS,
              walletProvider,
              amount: AMOUNT,
              reference,
              reason: 'drill',
            }),
          ),
        ),
      );
      this.counts.topUps += 1;
    }
  }

  /** A report with wrong amounts is imported and approved; two people void it, and the corrected one is imported. */
  async #correctFiles(engine: Engine): Promise<void> {
    while (!this.#isOver) {
      await sleep(this.#random.waitMs(FILE_EVERY_MS));
      if (this.#isOver) return;
      const lines = await this.#untilAnswered('lines', () => this.#readLines(engine));
      if (lines === null || lines.length === 0) continue;
      const misread = lines.map((line) => ({ ...line, amount: line.amount * 10n }));
      const wrong = await this.#import(engine, misread);
      if (wrong === null) continue;
      await this.#approvePending(engine, 'OPERATOR_REPORT', wrong);
      const answer = await this.#untilAnswered(`void ${wrong}`, async () => {
        const asked = { fileId: wrong, actor: ANA, reason: 'read wrongly' };
        const { type } = await this.#core.requestVoid(engine, asked);
        if (type === 'VOIDED_BEFORE') return type;
        await this.#approvePending(engine, 'FILE_VOID', wrong);
        throw new Error(`not voided yet: ${type}`);
      });
      if (answer === null) continue;
      const right = await this.#import(engine, lines);
      if (right === null) continue;
      this.counts.voidedFiles += 1;
      this.voidedReports.push({ home: engine.home, wrong, right });
    }
  }

  /** What the operator's report says of some payments of merchants that stay: so few that a file may say it of them. */
  async #readLines(engine: Engine): Promise<readonly OperatorReportLine[]> {
    const { rows } = await engine.store.database.query<{
      kind: string;
      amount: string;
      reference: string;
      transaction: string;
      at: Date;
    }>(
      `select p.kind, trim_scale(p.amount)::text as amount, a.reference, p.provider_transaction_id as transaction,
         p.final_at as at
       from payments p join payment_attempts a using (payment_no)
       where p.provider = $1 and p.state = 'COMPLETED' and p.merchant_id <> $2 and p.provider_transaction_id is not null
         and not exists (select from operator_report_lines l
           where (l.merchant_id, l.kind, l.payment_id) = (p.merchant_id, p.kind, p.payment_id))
       order by p.final_at desc limit 6`,
      [PROVIDER, this.#moving],
    );
    return rows.map(({ kind, amount, reference, transaction, at }) => ({
      occurredAt: at,
      direction: kind === 'DEPOSIT' ? 'IN' : 'OUT',
      status: 'COMPLETED',
      amount: parseSigned(amount),
      currency: FRANCS.currency,
      reference,
      providerTransactionId: transaction,
    }));
  }

  #import(engine: Engine, lines: readonly OperatorReportLine[]): Promise<string | null> {
    const fileHash = randomBytes(32);
    const numbered = lines.map((line, index) => ({ lineNo: index + 2, line }));
    const order = {
      by: 'Ana',
      secondApprover: 'REQUIRED',
      provider: PROVIDER,
      fileHash,
      period: null,
      batches: async function* batches() {
        yield numbered;
      },
      onError: (error: unknown) => {
        throw error;
      },
    } as const;
    // Cut off, it is imported again: the same bytes are the same file.
    return this.#untilAnswered(
      'a report',
      async () => (await this.#core.importReport(engine, order)).reportId,
    );
  }

  async #approvePending(engine: Engine, kind: string, subject: string): Promise<void> {
    try {
      const { rows } = await engine.store.database.query<{ id: string }>(
        `select approval_id as id from approvals where kind = $1 and subject = $2 and status = 'PENDING'`,
        [kind, subject],
      );
      for (const { id } of rows) await this.#approve(engine, id);
    } catch {
      // It waits, or was approved without our hearing of it.
    }
  }

  /** One person requests, another approves. What a fault kept from an answer, somebody may ask for again. */
  async #attempt(
    merchantId: string,
    request: (
      engine: Engine,
    ) => Promise<{ readonly type: string } | { readonly type: 'REQUESTED'; approvalId: string }>,
  ): Promise<void> {
    try {
      await this.#inCellOf(merchantId, async (engine) => {
        const asked = await request(this.#process(engine));
        if (asked.type.startsWith('REFERENCE_')) this.counts.refusedReferences += 1;
        if (asked.type === 'CELL_SILENT') this.counts.silentCells += 1;
        if ('approvalId' in asked) await this.#approve(this.#process(engine), asked.approvalId);
      });
    } catch {
      // Nobody was answered: nothing was promised.
    }
  }

  async #approve(engine: Engine, approvalId: string, decider = BEN): Promise<string> {
    const found = await findApproval(engine.store.database, approvalId);
    const hash = found?.shownHash ?? '';
    const answer = await this.#core.approve(engine, {
      decider,
      approvalId,
      whose: 'ALL',
      hash,
    });
    if (answer.type !== 'DONE' && answer.type !== 'CONFIRMED') this.counts.refusedReferences += 1;
    return answer.type;
  }

  /**
   * Repeats a request until it is answered, as a good client does. Once the faults have ended, a request that is still
   * not answered after 20 tries is noted as lost, and this returns null.
   */
  async #untilAnswered<Answer>(what: string, work: () => Promise<Answer>): Promise<Answer | null> {
    for (let triesInCalm = 0; ;) {
      try {
        return await work();
      } catch (error) {
        // Whoever was cut off at work with files keeps others out until the lease ends, which takes two minutes.
        const isBusy = error instanceof Error && error.name === 'FilesBusy';
        if (this.#isOver) triesInCalm += isBusy ? BUSY_TRY : 1;
        if (triesInCalm < 20 && !String(error).includes('duplicate key')) {
          await sleep(500);
          continue;
        }
        this.unanswered.push(`${what}: ${String(error)}`);
        return null;
      }
    }
  }

  /** A merchant that is moved is met in one cell or the other, or in neither for a moment. */
  async #inCellOf<Answer>(merchantId: string, work: (engine: Engine) => Promise<Answer>): Promise<Answer> {
    for (const engine of this.#engines) {
      // One that was never here has no row, and nothing says where it lives.
      const { rowCount } = await engine.store.database.query(
        'select 1 from merchants where merchant_id = $1',
        [merchantId],
      );
      if (rowCount === 0) continue;
      try {
        return await work(engine);
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'MerchantInOtherCell') throw error;
      }
    }
    throw new Error(`the merchant ${merchantId} is on its way`);
  }

  /** Every third one has a clock that is wrong by hours. */
  #process(engine: Engine): Engine {
    const isOff = this.#random.chance(0.3);
    return isOff ? inProcessOff(engine, this.#random.between(-48, 48) * HOUR_MS) : engine;
  }

  #reference(): string {
    return `FT26-${this.#random.between(1, REFERENCES)}`;
  }

  /** What somebody can have seen lately, in logs, backups and on screens of others. */
  async #look(): Promise<void> {
    while (!this.#isOver) {
      for (const { store } of this.#engines) {
        const { rows } = await store.database
          .query<{ id: string }>(
            `(select case_id as id from cases order by opened_at desc limit 10)
             union all (select approval_id from approvals order by requested_at desc limit 10)
             union all (select payment_id from payments order by created_at desc limit 10)
             union all (select hold_id from wallet_holds order by held_at desc limit 10)`,
          )
          .catch(() => ({ rows: [] }));
        this.#seen.push(...rows.map(({ id }) => id));
      }
      this.#seen = this.#seen.slice(-200);
      await sleep(1_000);
    }
  }
}

type PeopleOptions = {
  readonly build: Build;
  readonly engines: readonly Engine[];
  readonly employers: readonly Employer[];
  /** The merchant that is now in one cell, now in the other. */
  readonly moving: string;
  readonly random: Random;
};
