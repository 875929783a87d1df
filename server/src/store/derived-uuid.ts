import { createHash } from 'node:crypto';

/** A UUID (version 8) that follows from a name: the same name gives the same identifier everywhere, permanently. */
export function derivedUuid(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
