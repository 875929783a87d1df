// Ranges of network addresses, as written in settings and registries.
import { BlockList, isIP } from 'node:net';

/** Parses "10.1.0.0/16, fd00::/8" or single addresses. Null if any of them is invalid. */
export function parseRanges(text: string): readonly string[] | null {
  const ranges = text.split(/[\s,]+/).filter((range) => range !== '');
  return ranges.every(isRange) ? ranges : null;
}

function isRange(range: string): boolean {
  const [address = '', prefix, ...rest] = range.split('/');
  const bits = isIP(address) === 4 ? 32 : 128;
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
}

export function rangeList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const isV4 = isIP(address) === 4;
    list.addSubnet(address, Number(prefix ?? (isV4 ? 32 : 128)), isV4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** ::ffff:0:0/96 is IPv4 in IPv6 form; 64:ff9b::/96 reaches IPv4 through a translator (NAT64). */
const CARRIERS_OF_V4: readonly string[] = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'];

/** The IPv4 address inside an IPv6 address, if there is one. */
export function carriedV4(address: string): string | null {
  const parts = hextetsOf(address);
  if (!CARRIERS_OF_V4.includes(parts.slice(0, 6).join(':'))) return null;
  return parts
    .slice(6)
    .map((part) => Number.parseInt(part, 16))
    .flatMap((part) => [part >> 8, part & 255])
    .join('.');
}

/** All eight parts, also of a shortened address. */
export function hextetsOf(address: string): readonly string[] {
  // URLs write the IPv4 tail in hex.
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  if (tail === undefined) return partsOf(head);
  const [before, after] = [partsOf(head), partsOf(tail)];
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}

function partsOf(text: string): readonly string[] {
  return text.split(':').filter((part) => part !== '');
}
