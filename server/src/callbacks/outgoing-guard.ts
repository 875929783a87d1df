// Which addresses the gateway may connect to on a merchant's word. Merchants name callback addresses; an address inside
// the host's own network, or a name that resolves to one, must not turn the gateway into a way in.
import { isIP } from 'node:net';
import { carriedV4, rangeList } from './address-ranges.ts';

export type OutgoingGuard = {
  /** Judges an address as sockets know it, not a name. */
  readonly mayConnectTo: (address: string) => boolean;
  /** Judges the host of a URL as far as it can be judged before it is looked up: a literal address, or localhost. */
  readonly mayBeHost: (hostname: string) => boolean;
};

/** Why an attempt was refused; it stands in the rows of attempts. */
export const FORBIDDEN_ADDRESS = 'FORBIDDEN_ADDRESS';

/** What the sandbox allows: a merchant's server on the same machine. */
export const LOOPBACK_RANGES: readonly string[] = ['127.0.0.0/8', '::1/128'];

/** IPv4 is public unless it is in the registry of special purposes (RFC 6890 and its updates). */
const SPECIAL_V4 = rangeList([
  '0.0.0.0/8', // this network; 0.0.0.0 reaches this machine
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers; some clouds keep metadata there
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
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

/** IPv6 is the other way round: only this part is public at all, … */
const GLOBAL_V6 = rangeList(['2000::/3']);

/** … without these. */
const SPECIAL_V6 = rangeList([
  '2001::/23', // protocol assignments, Teredo among them
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4 carries any IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
]);

/** `allowed` are ranges as address-ranges.ts parses them; they win over everything that is forbidden. */
export function createOutgoingGuard(allowed: readonly string[]): OutgoingGuard {
  const exceptions = rangeList(allowed);
  const mayConnectTo = (address: string): boolean => {
    const [plain = ''] = address.split('%');
    const family = isIP(plain);
    if (family === 0) return false;
    if (family === 4) return exceptions.check(plain, 'ipv4') || !SPECIAL_V4.check(plain, 'ipv4');
    const carried = carriedV4(plain);
    if (carried !== null) return mayConnectTo(carried);
    if (exceptions.check(plain, 'ipv6')) return true;
    return GLOBAL_V6.check(plain, 'ipv6') && !SPECIAL_V6.check(plain, 'ipv6');
  };
  return {
    mayConnectTo,
    mayBeHost: (hostname) => {
      const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
      if (isIP(host) !== 0) return mayConnectTo(host);
      // Systems differ in whether they ask a name server for it; it means this machine either way.
      return !/(^|\.)localhost$/i.test(host) || mayConnectTo('127.0.0.1');
    },
  };
}
