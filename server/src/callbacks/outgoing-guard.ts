// Which addresses the gateway may connect to for a merchant. Merchants set callback addresses; an address inside the
// host's own network, or a name that resolves to one, must be refused (SSRF).
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { carriedV4, rangeList } from './address-ranges.ts';

export type OutgoingGuard = {
  /** Checks an IP address, not a name. */
  readonly mayConnectTo: (address: string) => boolean;
  /** Checks the host of a URL before it is looked up: a literal address, or localhost. */
  readonly mayBeHost: (hostname: string) => boolean;
  readonly mayUsePort: (port: number) => boolean;
};

export type OutgoingRules = {
  /** Public ranges that are refused anyway. */
  readonly refused?: readonly string[];
  /** Called for every connection, because interfaces change. */
  readonly ownAddresses?: () => readonly string[];
  /** Null: any port. */
  readonly ports?: readonly number[] | null;
};

/** Why an attempt was refused; stored with the attempt. */
export const FORBIDDEN_ADDRESS = 'FORBIDDEN_ADDRESS';
export const FORBIDDEN_PORT = 'FORBIDDEN_PORT';

/** The sandbox allows a merchant's server on the same machine. */
export const LOOPBACK_RANGES: readonly string[] = ['127.0.0.0/8', '::1/128'];

/** IPv4 is public except for the special-purpose registry (RFC 6890 and updates). */
const SPECIAL_V4 = rangeList([
  '0.0.0.0/8', // this network; 0.0.0.0 reaches this machine
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers; some clouds keep metadata there
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // cloud metadata (Azure), in a public range
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; some clouds keep metadata there
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
]);

/** IPv6 is the opposite: only this range is public, … */
const GLOBAL_V6 = rangeList(['2000::/3']);

/** … except for these. */
const SPECIAL_V6 = rangeList([
  '2001::/23', // protocol assignments, Teredo among them
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4 carries any IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
]);

/** `allowed` are ranges as parsed by address-ranges.ts; they override everything that is forbidden. */
export function createOutgoingGuard(allowed: readonly string[], rules: OutgoingRules = {}): OutgoingGuard {
  const { refused = [], ownAddresses = () => [], ports = null } = rules;
  const exceptions = rangeList(allowed);
  const isRefused = (address: string, family: 'ipv4' | 'ipv6') =>
    rangeList([...refused, ...ownAddresses()]).check(address, family);
  const mayConnectTo = (address: string): boolean => {
    const [plain = ''] = address.split('%');
    const family = isIP(plain);
    if (family === 0) return false;
    if (family === 4) {
      if (exceptions.check(plain, 'ipv4')) return true;
      return !SPECIAL_V4.check(plain, 'ipv4') && !isRefused(plain, 'ipv4');
    }
    const carried = carriedV4(plain);
    if (carried !== null) return mayConnectTo(carried);
    if (exceptions.check(plain, 'ipv6')) return true;
    const isPublic = GLOBAL_V6.check(plain, 'ipv6') && !SPECIAL_V6.check(plain, 'ipv6');
    return isPublic && !isRefused(plain, 'ipv6');
  };
  return {
    mayConnectTo,
    mayUsePort: (port) => ports === null || ports.includes(port),
    mayBeHost: (hostname) => {
      const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
      if (isIP(host) !== 0) return mayConnectTo(host);
      // Always this machine, whether or not the system asks a name server for it.
      return !/(^|\.)localhost$/i.test(host) || mayConnectTo('127.0.0.1');
    },
  };
}

/** The guard of a running gateway, which also refuses the addresses of its own machine. */
export function createHostGuard(allowed: readonly string[], rules: OutgoingRules): OutgoingGuard {
  return createOutgoingGuard(allowed, { ...rules, ownAddresses: listOwnAddresses });
}

/** A public address of this machine reaches services that trust the machine, behind the host's firewall. */
export function listOwnAddresses(): readonly string[] {
  const interfaces = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
  return interfaces.map(({ address }) => address.split('%')[0] ?? address);
}

/** The port of an address, also if it is the default one. */
export function portOf({ protocol, port }: { readonly protocol: string; readonly port: string }): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}
