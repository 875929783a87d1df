// Downloads a statement and sums it up, line by line.
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createGunzip } from 'node:zlib';
import { parseAmount, type Amount } from '../../server/src/domain/money.ts';

export type AddedUp = {
  readonly rows: number;
  readonly mb: number;
  readonly opening: Amount;
  readonly net: Amount;
  readonly closing: Amount;
};

export async function fetchFile(
  url: string,
  { isCompressed }: { readonly isCompressed: boolean },
): Promise<AddedUp> {
  const answer = await fetch(url);
  if (answer.status !== 200 || answer.body === null)
    throw new Error(`the file was answered ${answer.status}`);
  const bytes = Readable.fromWeb(answer.body as ReadableStream<Uint8Array>);
  const lines = createInterface({ input: isCompressed ? bytes.pipe(createGunzip()) : bytes });
  const sums = { rows: 0, opening: 0n, net: 0n, closing: 0n };
  let names: readonly string[] | undefined;
  for await (const line of lines) {
    const cells = cellsOf(line);
    if (names === undefined) names = cells;
    else add(sums, Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
  }
  const fileBytes = Number(answer.headers.get('content-length'));
  return { ...sums, mb: Math.round(fileBytes / 104_857.6) / 10 };
}

function add(
  sums: { rows: number; opening: Amount; net: Amount; closing: Amount },
  row: Readonly<Record<string, string>>,
): void {
  const { type } = row;
  if (type === 'OPENING_BALANCE') sums.opening = amountIn(row['balance']);
  else if (type === 'CLOSING_BALANCE') sums.closing = amountIn(row['balance']);
  else {
    sums.rows += 1;
    sums.net += amountIn(row['net']);
    if (sums.opening + sums.net !== amountIn(row['balance']))
      throw new Error(`row ${sums.rows} does not add up`);
  }
}

/** The rows of this benchmark have no line breaks in them. */
function cellsOf(line: string): readonly string[] {
  return [...line.matchAll(/(?:"((?:[^"]|"")*)"|([^",]*))(?:,|$)/gy)].map(
    ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
  );
}

function amountIn(text = ''): Amount {
  const absolute = parseAmount(text.replace('-', '')) ?? 0n;
  return text.startsWith('-') ? -absolute : absolute;
}
