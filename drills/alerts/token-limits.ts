// What one API token may send out in a day of each kind in production, without any setting.
import { productionTokenLimits } from '../../server/src/domain/limits/default-limits.ts';
import { renderAmount } from '../../server/src/domain/money.ts';

export const STOLEN_CURRENCY = 'UGX';
export const STOLEN_MOST = productionTokenLimits().get(STOLEN_CURRENCY) ?? 0n;

/** For the settings of the gateway: the sandbox has no such limits by itself. */
export const TOKEN_LIMITS = `${STOLEN_CURRENCY}=${renderAmount(STOLEN_MOST)}`;
