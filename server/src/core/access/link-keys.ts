// Keys of what proves for a short time that we made it. Each purpose has keys of its own, derived from the host's list,
// so that what was made for one purpose proves nothing for another, and a key that may have been seen can be replaced.
import { hkdfSync } from 'node:crypto';

/** The first one signs; all are believed. */
export type KeyList = readonly [Buffer, ...(readonly Buffer[])];

export type LinkKeys = {
  readonly statementLinks: KeyList;
  readonly formTokens: KeyList;
  readonly cellHops: KeyList;
};

export function deriveLinkKeys(keys: KeyList): LinkKeys {
  return {
    statementLinks: derive(keys, 'statement links'),
    formTokens: derive(keys, 'form tokens'),
    cellHops: derive(keys, 'cell hops'),
  };
}

function derive([first, ...older]: KeyList, purpose: string): KeyList {
  const keyFrom = (key: Buffer) => Buffer.from(hkdfSync('sha256', key, '', `malipo/${purpose}`, 32));
  return [keyFrom(first), ...older.map(keyFrom)];
}
