// How often a request was forwarded between cells. Only a process with the cells' key can set it: it stops requests
// that go in a circle, and outside callers cannot fake it.
import { createHmac, timingSafeEqual } from 'node:crypto';

export const HOPS_HEADER = 'malipo-cell-hops';

type Forwarded = { readonly method: string; readonly path: string };

/** The first key signs; all are accepted. */
export type HopKeys = readonly [Buffer, ...(readonly Buffer[])];

export function renderHops({ 0: key }: HopKeys, count: number, forwarded: Forwarded): string {
  return `${count}.${sign(key, count, forwarded)}`;
}

/** 0 for a request from outside. */
export function readHops(keys: HopKeys, header: string | undefined, forwarded: Forwarded): number {
  const [, count = '', signature = ''] = /^(\d{1,3})\.([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  if (count === '') return 0;
  const isGenuine = keys.some((key) =>
    timingSafeEqual(Buffer.from(sign(key, Number(count), forwarded)), Buffer.from(signature)),
  );
  return isGenuine ? Number(count) : 0;
}

function sign(key: Buffer, count: number, { method, path }: Forwarded): string {
  return createHmac('sha256', key).update(`${count}/${method}/${path}`).digest('hex');
}
