// Events of the feed as people read them.
import type { FeedEvent } from '@malipo/sdk';
import { renderAmountText } from './payment-text.ts';

/** "12:00:00.123  deposit    6f2c…  completed", "12:00:00.124  wallet     RWA  +100 RWF (deposit 6f2c…)". */
export function renderFeedEvent(event: FeedEvent): string {
  const { occurredAt, kind = '', id = '', status = '', movement } = event;
  const time = occurredAt.slice(11, 23);
  if (movement === undefined) return `${time}  ${words(kind).padEnd(10)} ${id}  ${words(status)}`;
  const { amount, currency, country, type } = movement;
  const about = id === '' ? words(type) : `${words(type)} ${id}`;
  return `${time}  ${'wallet'.padEnd(10)} ${country}  ${signed(amount, movement)} ${currency} (${about})`;
}

function signed(amount: string, wallet: NonNullable<FeedEvent['movement']>): string {
  const absolute = renderAmountText(amount.replace('-', ''), wallet);
  return amount.startsWith('-') ? `-${absolute}` : `+${absolute}`;
}

function words(code: string): string {
  return code.toLowerCase().replaceAll('_', ' ');
}
