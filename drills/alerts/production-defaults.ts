// What production has without any setting, in the currency that is stolen: how much one API token may send out in a day
// of each kind, and above which amount people look at a payment first. A sandbox has none by itself.
import {
  productionReviewAmounts,
  productionTokenLimits,
} from '../../server/src/domain/limits/default-limits.ts';
import { renderAmount } from '../../server/src/domain/money.ts';

export const STOLEN_CURRENCY = 'UGX';
export const STOLEN_MOST = productionTokenLimits().get(STOLEN_CURRENCY) ?? 0n;
export const REVIEWED_ABOVE = productionReviewAmounts().get(STOLEN_CURRENCY) ?? 0n;

const REVIEWED = `${STOLEN_CURRENCY}=${renderAmount(REVIEWED_ABOVE)}`;

export const PRODUCTION_DEFAULTS = {
  MALIPO_TOKEN_LIMITS: `${STOLEN_CURRENCY}=${renderAmount(STOLEN_MOST)}`,
  MALIPO_FIRST_RECIPIENT: REVIEWED,
  MALIPO_COOLING_OFF: REVIEWED,
};
