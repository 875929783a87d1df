// Manual money movements: their types, and what each posts.
import { adjustment, settlement, topUp, type Leg, type Posted } from './postings.ts';

export const MONEY_ORDER_TYPES = ['TOP_UP', 'SETTLEMENT', 'ADJUSTMENT'] as const;
export type MoneyOrderType = (typeof MONEY_ORDER_TYPES)[number];

const TEMPLATES: Readonly<Record<MoneyOrderType, (posted: Omit<Posted, 'fee'>) => readonly Leg[]>> = {
  TOP_UP: topUp,
  SETTLEMENT: settlement,
  ADJUSTMENT: adjustment,
};

export function moneyOrderLegs(type: MoneyOrderType, posted: Omit<Posted, 'fee'>): readonly Leg[] {
  return TEMPLATES[type](posted);
}
