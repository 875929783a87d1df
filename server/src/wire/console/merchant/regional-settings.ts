// A merchant's time zone and home currency.
import { Type } from 'typebox';
import { DONE, describeCalls, merchantPath, orNull, strict } from '../shape.ts';

export const regionalFields = {
  /** The zone of days on screens, by its IANA name. */
  timeZone: Type.String({ minLength: 1, maxLength: 64 }),
  /** The currency that the overview opens with; null: the one with most payments. */
  homeCurrency: orNull(Type.String({ pattern: '^[A-Z]{3}$' })),
};

export const regionalCalls = describeCalls({
  setRegionalSettings: { path: merchantPath, body: strict(regionalFields), answer: DONE },
});
