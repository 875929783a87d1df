// Every move that can be made in a state: by a worker, between any two of whose steps there may be a pause or a crash;
// by the wire, the operator and the clock.
import type { interpretEnquiry } from '../../src/core/payments/process/interpret-enquiry.ts';
import type { DecisionRules } from '../../src/core/payments/process/decide.ts';
import { isFinal, type PaymentEvent } from '../../src/domain/payments/lifecycle.ts';
import type { Connector } from '../../src/connectors/port.ts';
import { ANSWERED, createConclude, demandNothingNew, NOTHING_NEW } from './answers.ts';
import { commit, createAdvance, type Decided } from './advance.ts';
import {
  canWait,
  IDLE,
  later,
  LEASE_TICKS,
  NEVER,
  NOT_HIDDEN,
  theWorker,
  UNSEEN_TICKS,
  UNSENT_MAX,
  withoutLeftovers,
  type State,
  type Told,
  type Worker,
} from './state.ts';

export type Move = { readonly label: string; readonly to: State };

export type ModelRules = {
  readonly repeatedSubmit: Connector['repeatedSubmit'];
  readonly decision: DecisionRules;
  readonly interpretEnquiry: typeof interpretEnquiry;
  /** Asked immediately before the socket write. */
  readonly maySend: (deadlineIn: number) => boolean;
  /** Whether that question and the write are one step, as in a connector that asks in the same turn. */
  readonly writesAtOnce: boolean;
  /** Whether an enquiry whose worker does not come back is due again. */
  readonly leaseEnds: boolean;
  /** Whether the operator ever notifies. A payment must come to its end without. */
  readonly notifies: boolean;
};

const SUBMIT_CLAIMED: PaymentEvent = { type: 'SUBMIT_CLAIMED' };
const HINTED: PaymentEvent = { type: 'HINTED' };

export function createMoves(rules: ModelRules): (state: State) => readonly Move[] {
  demandNothingNew(rules);
  const conclude = createConclude(rules);
  const advance: Advance = createAdvance(rules.decision);

  return (state) => {
    const moves: Move[] = [];
    const add = (label: string, to: State): void => {
      moves.push({ label, to: withoutLeftovers(to) });
    };
    state.workers.forEach((worker, index) => {
      const name = `worker ${index + 1}`;
      const become = (next: Worker): readonly Worker[] => state.workers.with(index, theWorker(next));
      if (worker.at !== 'IDLE') add(`${name} crashes`, { ...state, workers: become(IDLE) });
      switch (worker.at) {
        case 'IDLE':
          if (isFinal(state.payment)) return;
          return addTake(state, { worker, name, become, advance, rules }, add);
        case 'LISTED':
          return addClaim(state, { worker, name, become, advance }, add);
        case 'TAKEN':
          return addRead(state, { worker, name, become }, add);
        case 'MAY_SEND':
          add(`${name} ends its permission unused`, {
            ...state,
            workers: become({ at: 'GIVING_BACK', sendCount: worker.sendCount }),
          });
          if (!rules.maySend(worker.deadlineIn)) return;
          return rules.writesAtOnce
            ? add(`${name} writes to the socket`, written(state, become))
            : add(`${name} finds its permission open`, { ...state, workers: become({ at: 'CLEARED' }) });
        case 'CLEARED':
          return add(`${name} writes to the socket`, written(state, become));
        case 'SENT':
          add(`${name} gets no answer`, { ...state, workers: become(telling('NO_ANSWER')) });
          if (state.operator === 'NOTHING') return;
          return add(`${name} is answered ${state.operator}`, {
            ...state,
            workers: become(telling(state.operator)),
          });
        case 'GIVING_BACK':
          return addGiveBack(state, { worker, name, become, advance }, add);
        case 'TELLING': {
          const answer = advance(state, ANSWERED[worker.told]);
          return add(`${name} brings ${worker.told} to the write path`, commit(state, answer, become(IDLE)));
        }
        case 'ASKING':
          return add(`${name} asks`, { ...state, workers: become({ ...worker, at: 'ASKED' }) });
        case 'ASKED':
          for (const told of answersTo(state)) {
            const conclusion = conclude(worker, told);
            add(`${name}'s enquiry is answered ${told}`, {
              ...state,
              workers: become({ at: 'CONCLUDED', conclusion }),
            });
          }
          return;
        case 'CONCLUDED':
          return addConcluded(state, { worker, name, become, index, advance }, add);
      }
    });
    addExpiry(state, advance, add);
    addOperator(state, { advance, rules }, add);
    if (canWait(state)) add('a tick passes', later(state));
    return moves;
  };
}

type Add = (label: string, to: State) => void;
type Become = (next: Worker) => readonly Worker[];
type Advance = (state: State, event: PaymentEvent) => Decided;

/** A worker's turn: who it is, and how the workers look once it has become something else. */
type Turn<At extends Worker['at']> = {
  readonly worker: Extract<Worker, { readonly at: At }>;
  readonly name: string;
  readonly become: Become;
};

function written(state: State, become: Become): State {
  return { ...state, workers: become({ at: 'SENT' }), wire: [...state.wire, UNSEEN_TICKS] };
}

/** A claim takes the step and moves the payment in one transaction; an enquiry is only taken. */
function addTake(
  state: State,
  {
    worker,
    name,
    become,
    advance,
    rules,
  }: Turn<'IDLE'> & { readonly advance: Advance; readonly rules: Pick<ModelRules, 'leaseEnds'> },
  add: Add,
): void {
  if (state.nextAction === null || state.nextIn > 0) return;
  if (state.nextAction === 'ENQUIRE') {
    const nextIn = rules.leaseEnds ? LEASE_TICKS : NEVER;
    return add(`${name} takes the enquiry`, {
      ...state,
      nextIn,
      isTaken: true,
      workers: become({ at: 'TAKEN' }),
    });
  }
  addClaim(state, { worker, name, become, advance }, add);
  return add(`${name} lists the payment, to claim it alone`, { ...state, workers: become({ at: 'LISTED' }) });
}

function addClaim(
  state: State,
  { name, become, advance }: Turn<'IDLE' | 'LISTED'> & { readonly advance: Advance },
  add: Add,
): void {
  const answer = advance(state, SUBMIT_CLAIMED);
  if (answer.type !== 'MOVE') {
    return add(`${name} finds nothing to claim`, { ...state, workers: become(IDLE) });
  }
  const next = permitted(answer.attempt);
  return add(`${name} commits its claim`, commit(state, answer, become(next)));
}

function permitted(attempt: State['attempt']): Worker {
  return { at: 'MAY_SEND', deadlineIn: attempt?.deadlineIn ?? 0, sendCount: attempt?.sendCount ?? 0 };
}

/** One object for each event, by which the write path knows what it was asked before. */
const UNSENT = [0, 1, 2, 3, 4, 5, 6, 7].map((sendCount): PaymentEvent => ({
  type: 'SUBMIT_UNSENT',
  sendCount,
}));

/** Where the payment was sent before, it is asked about: for the write path that is not an answer. */
function addGiveBack(
  state: State,
  { worker, name, become, advance }: Turn<'GIVING_BACK'> & { readonly advance: Advance },
  add: Add,
): void {
  const event = UNSENT[worker.sendCount];
  if (event === undefined) throw new Error('more sends than the model knows of');
  if ((state.attempt?.unsentCount ?? 0) >= UNSENT_MAX) return;
  const answer = advance(state, event);
  add(`${name} gives its permission back`, commit(state, answer, become(IDLE)));
  if (answer.type !== 'MOVE') {
    const told = advance(state, ANSWERED.NO_ANSWER);
    add(`${name} brings NOT_SENT to the write path`, commit(state, told, become(IDLE)));
  }
}

const EXPIRED: PaymentEvent = { type: 'SUBMIT_EXPIRED' };

/** The payer has gone: at any time. */
function addExpiry(state: State, advance: Advance, add: Add): void {
  const answer = advance(state, EXPIRED);
  if (answer.type === 'MOVE') add('the payer has gone', commit(state, answer, state.workers));
}

function addRead(state: State, { name, become }: Turn<'TAKEN'>, add: Add): void {
  const { nextAction, attempt } = state;
  if (attempt === null || nextAction !== 'ENQUIRE') {
    return add(`${name} finds nothing to ask`, { ...state, workers: become(IDLE) });
  }
  return add(`${name} reads payment and attempt`, {
    ...state,
    workers: become({ at: 'ASKING', state: state.payment, attempt }),
  });
}

/** The events of one conclusion are one transaction. */
function addConcluded(
  state: State,
  { worker, name, index, advance }: Turn<'CONCLUDED'> & { readonly index: number; readonly advance: Advance },
  add: Add,
): void {
  const { events, resubmits } = worker.conclusion;
  const answers: Decided[] = [];
  for (const event of events) answers.push(advance({ ...state, ...answers.at(-1) }, event));
  const [first] = answers;
  const sends = resubmits && first?.type === 'MOVE' && first.attempt !== null;
  const next = sends ? permitted(first.attempt) : IDLE;
  const workers = state.workers.with(index, theWorker(next));
  const last = answers.at(-1);
  const hasMoved = answers.some(({ type }) => type === 'MOVE');
  const label = `${name} brings ${events.map(nameOf).join(', ')} to the write path`;
  if (last === undefined || !hasMoved) return add(label, { ...state, workers });
  return add(label, commit(state, { ...last, type: 'MOVE' }, workers));
}

function addOperator(
  state: State,
  { advance, rules }: { readonly advance: Advance; readonly rules: ModelRules },
  add: Add,
): void {
  const { wire, operator } = state;
  [...new Set(wire)].forEach((left) => {
    const rest = wire.toSpliced(wire.indexOf(left), 1);
    add('a request is lost on the wire', { ...state, wire: rest });
    const isFirst = operator === 'NOTHING';
    add(isFirst ? 'the operator takes the order up' : 'the operator gets the order again', {
      ...state,
      wire: rest,
      arrivals: Math.min(state.arrivals + 1, rules.repeatedSubmit === 'HARMLESS' ? 1 : 2),
      operator: isFirst ? 'PENDING' : operator,
      hiddenFor: isFirst ? left : state.hiddenFor,
    });
  });
  if (state.hiddenFor !== NOT_HIDDEN) add('enquiries find the order', { ...state, hiddenFor: NOT_HIDDEN });
  if (operator === 'PENDING') {
    add('the operator charges the payer', { ...state, operator: 'COMPLETED' });
    add('the operator fails the payment', { ...state, operator: 'FAILED' });
  }
  if (!rules.notifies) return;
  if (operator === 'COMPLETED' || operator === 'FAILED') {
    const answer = advance(state, ANSWERED[operator]);
    if (answer.type === 'MOVE')
      add(`a signed notification says ${operator}`, commit(state, answer, state.workers));
  }
  const hinted = advance(state, HINTED);
  if (hinted.type === 'MOVE') add('an unsigned notification comes', commit(state, hinted, state.workers));
}

function answersTo({ operator, hiddenFor }: State): readonly Told[] {
  return [operator === 'NOTHING' || hiddenFor !== NOT_HIDDEN ? 'NOT_SEEN' : operator, 'NO_ANSWER'];
}

function telling(told: Told): Worker {
  return { at: 'TELLING', told: NOTHING_NEW.includes(told) ? 'NO_ANSWER' : told };
}

function nameOf(event: PaymentEvent): string {
  if (event.type !== 'OPERATOR_ANSWERED') return event.type;
  return event === ANSWERED.NO_ANSWER ? 'nothing new' : event.outcome.type;
}
