// Money that moves at an operator without a payment: brought from the bank, taken to the bank, or charged.
import type { Amount } from '../money.ts';
import {
  floatTopUp,
  floatWithdrawal,
  operatorCharge,
  type Direction,
  type Leg,
  type Moved,
} from './postings.ts';

export const FLOAT_MOVEMENT_TYPES = ['FLOAT_TOP_UP', 'FLOAT_WITHDRAWAL', 'OPERATOR_CHARGE'] as const;
export type FloatMovementType = (typeof FLOAT_MOVEMENT_TYPES)[number];

export type FloatMovement = Moved & {
  readonly type: FloatMovementType;
  /** The operator's transaction id. It is posted once. */
  readonly reference: string;
};

const TEMPLATES: Readonly<Record<FloatMovementType, (moved: Moved) => readonly Leg[]>> = {
  FLOAT_TOP_UP: floatTopUp,
  FLOAT_WITHDRAWAL: floatWithdrawal,
  OPERATOR_CHARGE: operatorCharge,
};

export function floatMovementLegs(movement: FloatMovement): readonly Leg[] {
  return TEMPLATES[movement.type](movement);
}

/** The amount in an operator report. Only a charge can have either sign: negative means given back. Null if invalid. */
export function reportedAmount(type: FloatMovementType, direction: Direction, amount: Amount): Amount | null {
  if (amount === 0n) return null;
  if (type === 'OPERATOR_CHARGE') return direction === 'OUT' ? amount : -amount;
  return direction === (type === 'FLOAT_TOP_UP' ? 'IN' : 'OUT') ? amount : null;
}
