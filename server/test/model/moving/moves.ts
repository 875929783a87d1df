// Every move that can be made in a state: by a mover, between any two of whose steps there may be a pause or a crash;
// by a person who aborts, a client, the clock and the new cell's workers.
import type { MoveRules } from './rules.ts';
import {
  IDLE,
  type Aborter,
  type Mover,
  type NewCell,
  type OldCell,
  type Part,
  type State,
} from './state.ts';

export type Move = { readonly label: string; readonly to: State };

/** More of either only repeats what was there. */
const CHANGES_MAX = 2;
const MOVES_MAX = 2;

type Add = (label: string, to: State) => void;

export function createMoves(
  rules: MoveRules,
  { aborts }: { readonly aborts: boolean },
): (state: State) => readonly Move[] {
  return (state) => {
    const moves: Move[] = [];
    const add: Add = (label, to) => void moves.push({ label, to });
    for (const index of state.movers.keys()) addMover(state, index, rules, add);
    if (aborts) addAborter(state, rules, add);
    addClient(state, rules, add);
    if (state.old.lock === 'LEAVING' && rules.lapses)
      add('the migration lock lapses', withOld(state, { lock: 'COPYING' }));
    const canFinish = state.old.lock === 'AWAY' && isArriving(state, state.old.moveNo);
    if (canFinish && rules.workersFinish && state.fresh.heldBy < 0)
      add("the new cell's workers finish the move", withNew(state, { lock: 'HERE' }));
    return moves;
  };
}

function withOld(state: State, changes: Partial<OldCell>): State {
  return { ...state, old: { ...state.old, ...changes } };
}

function withNew(state: State, changes: Partial<NewCell>): State {
  return { ...state, fresh: { ...state.fresh, ...changes } };
}

function isArriving({ fresh }: State, moveNo: number): boolean {
  return fresh.lock === 'ARRIVING' && fresh.moveNo === moveNo;
}

function isBeingCopied({ old }: State, moveNo: number): boolean {
  return (old.lock === 'COPYING' || old.lock === 'LEAVING') && old.moveNo === moveNo;
}

/** A client's transaction in the old cell is inside the merchant until it commits; in the new one it is one step. */
function addClient(state: State, rules: MoveRules, add: Add): void {
  const { old, fresh, acknowledged, isInside } = state;
  if (isInside) {
    const version = old.version + 1;
    const noted = rules.notes && old.lock === 'COPYING' ? version : old.noted;
    const isDoubled = state.isDoubled || old.version < acknowledged;
    const changed = { ...state, isInside: false, acknowledged: Math.max(acknowledged, version), isDoubled };
    return add('a change is committed in the old cell', withOld(changed, { version, noted }));
  }
  if (acknowledged === CHANGES_MAX) return;
  if (old.lock === 'NONE' || old.lock === 'COPYING')
    add('a transaction enters the merchant in the old cell', { ...state, isInside: true });
  if (fresh.lock !== 'HERE') return;
  const version = fresh.version + 1;
  const isDoubled = state.isDoubled || fresh.version < acknowledged;
  const changed = { ...state, acknowledged: Math.max(acknowledged, version), isDoubled };
  add('a change is committed in the new cell', withNew(changed, { version }));
}

function addMover(state: State, index: number, rules: MoveRules, add: Add): void {
  const mover = state.movers[index] ?? IDLE;
  const name = `mover ${index + 1}`;
  const become = (next: Mover, then: State = state): State => ({
    ...then,
    movers: then.movers.with(index, next),
  });
  const isHeldByUs = state.fresh.heldBy === index;
  if (mover.at !== 'IDLE')
    add(`${name} dies`, become(IDLE, isHeldByUs ? withNew(state, { heldBy: -1 }) : state));
  const canLock = !state.isInside || !rules.waitsForTransactions;
  switch (mover.at) {
    case 'IDLE':
      return addFind(state, { name, become }, add);
    case 'FOUND':
      return addBegin(state, mover, { name, become, canLock, rules }, add);
    case 'BEGUN':
      return addArrive(state, mover.moveNo, { name, become, rules }, add);
    case 'COPY':
    case 'HOLDS':
    case 'READ':
    case 'COPIED':
      return addCopy(state, mover, { name, become, rules, index }, add);
    case 'UP_TO_DATE':
      return addCompare(state, mover.moveNo, { name, become }, add);
    case 'COMPARED':
      if (!canLock) return;
      if (!isBeingCopied(state, mover.moveNo))
        return add(`${name} finds no move to go on with`, become(IDLE));
      return add(
        `${name} sets the migration lock`,
        become({ ...mover, at: 'LOCKED' }, withOld(state, { lock: 'LEAVING', raisedBy: index })),
      );
    case 'LOCKED':
      return rules.copiesRest
        ? add(`${name} lists the notes`, become(copyOf(mover.moveNo, 'REST', state.old.noted)))
        : add(`${name} copies nothing more`, become({ ...mover, at: 'MAY_LEAVE' }));
    case 'MAY_LEAVE':
      return addLeave(state, mover.moveNo, { name, become, rules, index }, add);
    case 'LEFT':
      if (state.fresh.heldBy >= 0) return;
      return add(
        `${name} opens the new cell`,
        become(IDLE, isArriving(state, mover.moveNo) ? withNew(state, { lock: 'HERE' }) : state),
      );
  }
}

type Turn = { readonly name: string; readonly become: (next: Mover, then?: State) => State };
type RuledTurn = Turn & { readonly rules: MoveRules };

function copyOf(moveNo: number, part: Part, listed: number): Mover {
  return { at: 'COPY', moveNo, part, listed };
}

function addFind(state: State, { name, become }: Turn, add: Add): void {
  const { old, fresh, moves } = state;
  if (old.lock === 'AWAY') {
    if (isArriving(state, old.moveNo))
      add(`${name} finds that the merchant has left`, become({ at: 'LEFT', moveNo: old.moveNo }));
    return;
  }
  // What an aborted move copied must be deleted first.
  if (fresh.lock === 'AWAY' && fresh.version >= 0) return;
  if (old.lock !== 'NONE')
    return add(`${name} finds a move`, become({ at: 'FOUND', moveNo: old.moveNo, isNew: false }));
  if (moves === MOVES_MAX) return;
  const next = { at: 'FOUND', moveNo: moves + 1, isNew: true } as const;
  add(`${name} finds no move`, become(next, { ...state, moves: moves + 1 }));
}

function addBegin(
  state: State,
  { moveNo, isNew }: Extract<Mover, { at: 'FOUND' }>,
  { name, become, canLock, rules }: RuledTurn & { readonly canLock: boolean },
  add: Add,
): void {
  const next = { at: 'BEGUN', moveNo } as const;
  if (isNew || !rules.onlyNewMovesBegin) {
    if (!canLock) return;
    if (state.old.lock === 'NONE')
      return add(
        `${name} begins to copy`,
        become(next, withOld(state, { lock: 'COPYING', moveNo, noted: 0 })),
      );
    if (isNew) return add(`${name} finds that another move was begun`, become(IDLE));
  }
  const isLeft = state.old.lock === 'LEAVING' && state.old.moveNo === moveNo;
  add(`${name} goes on with the move`, become(next, isLeft ? withOld(state, { lock: 'COPYING' }) : state));
}

function addArrive(state: State, moveNo: number, { name, become, rules }: RuledTurn, add: Add): void {
  const { fresh } = state;
  if (fresh.heldBy >= 0) return;
  if (rules.looksAgainBeforeArriving && !isBeingCopied(state, moveNo))
    return add(`${name} finds that its move has ended`, become(IDLE));
  const isSet = fresh.lock !== 'HERE' && fresh.moveNo === moveNo;
  const arriving = { lock: 'ARRIVING', moveNo, isThrough: false } as const;
  const then = isSet ? state : withNew(state, arriving);
  const next = copyOf(moveNo, then.fresh.isThrough ? 'NOTED' : 'HISTORY', state.old.noted);
  add(`${name} sets the lock of the new cell`, become(next, then));
}

function addCopy(
  state: State,
  mover: Extract<Mover, { at: 'COPY' | 'HOLDS' | 'READ' | 'COPIED' }>,
  { name, become, rules, index }: RuledTurn & { readonly index: number },
  add: Add,
): void {
  const { moveNo, part, listed } = mover;
  const { old, fresh } = state;
  const place = { moveNo, part, listed };
  switch (mover.at) {
    case 'COPY': {
      if (!rules.holdsWhileCopying)
        return add(`${name} reads the payment`, become({ at: 'READ', ...place, version: old.version }));
      if (fresh.heldBy >= 0) return;
      if (!isArriving(state, moveNo)) return add(`${name} finds that nothing arrives`, become(IDLE));
      return add(
        `${name} holds the lock`,
        become({ at: 'HOLDS', ...place }, withNew(state, { heldBy: index })),
      );
    }
    case 'HOLDS':
      return add(`${name} reads the payment`, become({ at: 'READ', ...place, version: old.version }));
    case 'READ': {
      const isOurs = rules.holdsWhileCopying || isArriving(state, moveNo);
      if (!isOurs) return add(`${name} finds that nothing arrives`, become(IDLE));
      // Where nothing was noted there is nothing to copy again.
      const isCopied = part === 'HISTORY' || listed > 0;
      const version = isCopied ? mover.version : fresh.version;
      const written = withNew(state, { version, isThrough: true, heldBy: -1 });
      return add(`${name} writes the copy`, become({ at: 'COPIED', ...place }, written));
    }
    case 'COPIED': {
      if (part === 'HISTORY')
        return add(`${name} lists the notes`, become(copyOf(moveNo, 'NOTED', old.noted)));
      if (part === 'REST') return add(`${name} has copied the rest`, become({ at: 'MAY_LEAVE', moveNo }));
      const noted = old.noted === listed || !rules.deletesListedNotes ? 0 : old.noted;
      return add(
        `${name} deletes the notes`,
        become({ at: 'UP_TO_DATE', moveNo }, withOld(state, { noted })),
      );
    }
  }
}

/** One look at both cells, with the new cell's lock held. */
function addCompare(state: State, moveNo: number, { name, become }: Turn, add: Add): void {
  if (state.fresh.heldBy >= 0) return;
  if (!isArriving(state, moveNo)) return add(`${name} finds that nothing arrives`, become(IDLE));
  const isSame = state.old.noted > 0 || state.old.version === state.fresh.version;
  if (isSame) return add(`${name} finds both cells equal`, become({ at: 'COMPARED', moveNo }));
  return add(`${name} finds a difference`, become(IDLE));
}

function addLeave(
  state: State,
  moveNo: number,
  { name, become, rules, index }: RuledTurn & { readonly index: number },
  add: Add,
): void {
  const { old } = state;
  const isUp = old.lock === 'LEAVING' || (!rules.decidesOnlyLocked && old.lock === 'COPYING');
  const isOurs = old.raisedBy === index || !rules.decidesUnderOwnLock;
  if (!(isUp && isOurs && old.moveNo === moveNo))
    return add(`${name} finds that its lock has lapsed`, become(IDLE));
  add(`${name} decides`, become({ at: 'LEFT', moveNo }, withOld(state, { lock: 'AWAY', noted: 0 })));
}

function addAborter(state: State, rules: MoveRules, add: Add): void {
  const { aborter, old, fresh, isInside } = state;
  const become = (next: Aborter, then: State = state): State => ({ ...then, aborter: next });
  if (aborter.at !== 'IDLE') add('the abort dies', become(IDLE));
  switch (aborter.at) {
    case 'IDLE': {
      if (old.lock === 'NONE' && fresh.lock === 'AWAY' && fresh.version >= 0)
        return add('an abort goes on', become({ at: 'CLEARS' }));
      const isThere = fresh.lock === 'ARRIVING';
      if (old.lock === 'AWAY' || (old.lock === 'NONE' && !isThere)) return;
      return add('an abort begins', become({ at: 'LOOKED', moveNo: isThere ? fresh.moveNo : 0 }));
    }
    case 'LOOKED': {
      const next = { at: 'ENDED', moveNo: aborter.moveNo } as const;
      if (!rules.abortsInOldCellFirst) return add('the abort does not look at the old cell', become(next));
      if (old.lock === 'AWAY') return add('the abort finds the move decided', become(IDLE));
      if (isInside && rules.waitsForTransactions) return;
      return add(
        'the abort ends the move in the old cell',
        become(next, withOld(state, { lock: 'NONE', noted: 0 })),
      );
    }
    case 'ENDED': {
      if (fresh.heldBy >= 0) return;
      const isNamed = fresh.moveNo === aborter.moveNo || !rules.abortsByName;
      if (fresh.lock !== 'ARRIVING' || !isNamed)
        return add('the abort finds nothing to delete', become(IDLE));
      const ended = withNew(state, { lock: 'AWAY', moveNo: 0, isThrough: false });
      return add('the abort ends the arrival', become({ at: 'CLEARS' }, ended));
    }
    case 'CLEARS': {
      const isCopy = fresh.lock === 'AWAY';
      return add(
        'the abort deletes the copy',
        become(IDLE, isCopy ? withNew(state, { version: -1 }) : state),
      );
    }
  }
}
