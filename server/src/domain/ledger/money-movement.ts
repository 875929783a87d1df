// Manual money movements: their types, and what each posts.
import { adjustment, settlement, topUp, type Leg, type Posted } from './postings.ts';

export const MONEY_MOVEMENT_TYPES = ['TOP_UP', 'SETTLEMENT', 'ADJUSTMENT'] as const;
export type MoneyMovementType = (typeof MONEY_MOVEMENT_TYPES)[number];

const TEMPLATES: Readonly<Record<MoneyMovementType, (posted: Omit<Posted, 'fee'>) => readonly Leg[]>> = {
  TOP_UP: topUp,
  SETTLEMENT: settlement,
  ADJUSTMENT: adjustment,
};

export function moneyMovementLegs(type: MoneyMovementType, posted: Omit<Posted, 'fee'>): readonly Leg[] {
  return TEMPLATES[type](posted);
}
