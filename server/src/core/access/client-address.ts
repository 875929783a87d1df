// Whose request it is, as far as the network can tell. Behind a proxy every connection is the proxy's, and
// X-Forwarded-For says whom it speaks for; from anybody else that header is a claim, and is not read.
import { isIP } from 'node:net';
import { carriedV4, hextetsOf, rangeList } from '../../callbacks/address-ranges.ts';
import { createOutgoingGuard } from '../../callbacks/outgoing-guard.ts';

export type Arrival = {
  /** The other end of the connection. */
  readonly peer: string;
  readonly forwardedFor: string | undefined;
};

export type ClientAddresses = {
  /** The address of the client: the nearest one that is no proxy of ours. */
  readonly of: (arrival: Arrival) => string;
  /** What to count an address under that does what it should not. Null for one that must not be held to it. */
  readonly countedAs: (address: string) => string | null;
};

/** `proxies` are ranges as `parseRanges` takes them. */
export function createClientAddresses(proxies: readonly string[]): ClientAddresses {
  const trusted = rangeList(proxies);
  const isProxy = (address: string) =>
    isIP(address) !== 0 && trusted.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
  const { mayConnectTo: isPublic } = createOutgoingGuard([]);
  return {
    of: ({ peer, forwardedFor }) => {
      let client = plain(peer);
      if (!isProxy(client)) return client;
      const told = (forwardedFor ?? '').split(',').map(plain);
      // From the right: each proxy adds whom it has seen, and what stands before that was sent to it.
      while (isProxy(client) && isIP(told.at(-1) ?? '') !== 0) client = told.pop() ?? client;
      return client;
    },
    countedAs: (address) => {
      // Where no one has named proxies, anyone who comes from inside may be one, and all the world behind it.
      const mayBeMany = proxies.length === 0 ? !isPublic(address) : isProxy(address);
      return mayBeMany || isIP(address) === 0 ? null : networkOf(address);
    },
  };
}

/** Some proxies write a port behind the address. IPv4 can come under a name of IPv6. */
function plain(text: string): string {
  const [, bracketed, withPort] = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text.trim()) ?? [];
  const [address = ''] = (bracketed ?? withPort ?? text.trim()).split('%');
  return (isIP(address) === 6 ? carriedV4(address) : null) ?? address;
}

/** Anyone who has one address of IPv6 has 2^64 of them. */
function networkOf(address: string): string {
  return isIP(address) === 6 ? hextetsOf(address).slice(0, 4).join(':') : address;
}
