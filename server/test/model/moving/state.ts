// One merchant between two cells, with one payment of which only the number of changes counts: everything the model of
// a move knows at one moment.

/** The old cell. `noted`: the last change that has a note; 0 for none. */
export type OldCell = {
  readonly lock: 'NONE' | 'COPYING' | 'LEAVING' | 'AWAY';
  readonly moveNo: number;
  /** The mover whose migration lock it is. */
  readonly raisedBy: number;
  readonly version: number;
  readonly noted: number;
};

/** The new cell. HERE: the merchant lives there, and it has no migration lock. */
export type NewCell = {
  readonly lock: 'NONE' | 'ARRIVING' | 'AWAY' | 'HERE';
  readonly moveNo: number;
  /** Whether the history was copied by this move. */
  readonly isThrough: boolean;
  /** Of the payment; -1 where it is not there. */
  readonly version: number;
  /** The mover that is in the middle of a copy and holds the migration lock's row; -1 for none. */
  readonly heldBy: number;
};

/** Which copy it is: of the history, of what was noted, or behind the migration lock. */
export type Part = 'HISTORY' | 'NOTED' | 'REST';

export type Mover =
  | { readonly at: 'IDLE' }
  /** Has read the old cell's migration lock, or that there is none. */
  | { readonly at: 'FOUND'; readonly moveNo: number; readonly isNew: boolean }
  | { readonly at: 'BEGUN'; readonly moveNo: number }
  /** Is about to copy; knows which notes there were. */
  | { readonly at: 'COPY'; readonly moveNo: number; readonly part: Part; readonly listed: number }
  | { readonly at: 'HOLDS'; readonly moveNo: number; readonly part: Part; readonly listed: number }
  | {
      readonly at: 'READ';
      readonly moveNo: number;
      readonly part: Part;
      readonly listed: number;
      readonly version: number;
    }
  | { readonly at: 'COPIED'; readonly moveNo: number; readonly part: Part; readonly listed: number }
  | { readonly at: 'UP_TO_DATE'; readonly moveNo: number }
  | { readonly at: 'COMPARED'; readonly moveNo: number }
  | { readonly at: 'LOCKED'; readonly moveNo: number }
  | { readonly at: 'MAY_LEAVE'; readonly moveNo: number }
  | { readonly at: 'LEFT'; readonly moveNo: number };

/** A person who aborts the move. `moveNo`: of what arrived in the new cell; 0 for nothing. */
export type Aborter =
  | { readonly at: 'IDLE' }
  | { readonly at: 'LOOKED'; readonly moveNo: number }
  | { readonly at: 'ENDED'; readonly moveNo: number }
  | { readonly at: 'CLEARS' };

export type State = {
  readonly old: OldCell;
  readonly fresh: NewCell;
  readonly movers: readonly Mover[];
  readonly aborter: Aborter;
  /** A transaction is inside the merchant in the old cell: it has seen the migration lock, and not committed. */
  readonly isInside: boolean;
  /** Changes that were acknowledged to the merchant, or sent to an operator. */
  readonly acknowledged: number;
  /** A change was made twice, once in each cell or in one that did not know of the first. */
  readonly isDoubled: boolean;
  /** How many moves were begun. */
  readonly moves: number;
};

export const IDLE = { at: 'IDLE' } as const;

export function initialState(moverCount: number): State {
  return {
    old: { lock: 'NONE', moveNo: 0, raisedBy: -1, version: 0, noted: 0 },
    fresh: { lock: 'NONE', moveNo: 0, isThrough: false, version: -1, heldBy: -1 },
    movers: Array.from({ length: moverCount }, () => IDLE),
    aborter: IDLE,
    isInside: false,
    acknowledged: 0,
    isDoubled: false,
    moves: 0,
  };
}

/** Numbers are small, so that each is one character. */
export function keyOf(state: State): string {
  const { old, fresh, movers, aborter, isInside, acknowledged, isDoubled, moves } = state;
  const flags = (isInside ? 1 : 0) + (isDoubled ? 2 : 0) + (fresh.isThrough ? 4 : 0);
  const numbers = [
    old.moveNo,
    old.raisedBy,
    old.version,
    old.noted,
    fresh.moveNo,
    fresh.version,
    fresh.heldBy,
  ];
  return [
    `${LOCKS.indexOf(old.lock)}${LOCKS.indexOf(fresh.lock)}${flags}${acknowledged}${moves}`,
    String.fromCharCode(...numbers.map((number) => number + 1)),
    ...[...movers, aborter].map((actor) => Object.values(actor).join()),
  ].join(';');
}

const LOCKS = ['NONE', 'COPYING', 'LEAVING', 'AWAY', 'ARRIVING', 'HERE'];

export function renderState({ old, fresh, acknowledged }: State): string {
  const noted = old.noted > 0 ? `, noted ${old.noted}` : '';
  const copy = fresh.version < 0 ? 'no copy' : `copy ${fresh.version}`;
  return `old ${old.lock} ${old.version}${noted}; new ${fresh.lock}, ${copy}; acknowledged ${acknowledged}`;
}
