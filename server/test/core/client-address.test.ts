import { describe, expect, test } from 'vitest';
import { createClientAddresses } from '../../src/core/access/client-address.ts';

const PROXIES = ['127.0.0.1', '10.1.0.0/16', 'fd00::/8'];

const clientOf = (peer: string, forwardedFor?: string, proxies: readonly string[] = PROXIES) =>
  createClientAddresses(proxies).of({ peer, forwardedFor });

describe('the client of a request', () => {
  test.each([
    ['is the other end, where no one has named proxies', '127.0.0.1', '203.0.113.9', [], '127.0.0.1'],
    ['is the other end, where that is no proxy', '198.51.100.7', '203.0.113.9', PROXIES, '198.51.100.7'],
    ['is whom the proxy has seen', '127.0.0.1', '203.0.113.9', PROXIES, '203.0.113.9'],
    ['is not what it says itself', '127.0.0.1', '192.0.2.1, 203.0.113.9', PROXIES, '203.0.113.9'],
    ['nor when it names a proxy', '127.0.0.1', '192.0.2.1, 10.1.2.3, 203.0.113.9', PROXIES, '203.0.113.9'],
    [
      'is before two proxies of ours',
      '127.0.0.1',
      '192.0.2.1, 203.0.113.9, 10.1.2.3',
      PROXIES,
      '203.0.113.9',
    ],
    ['is one of our own machines', '127.0.0.1', '10.1.2.3', PROXIES, '10.1.2.3'],
    ['is the proxy, where that tells no one', '127.0.0.1', undefined, PROXIES, '127.0.0.1'],
    ['is the proxy, where that tells no address', '127.0.0.1', '203.0.113.9, unknown', PROXIES, '127.0.0.1'],
    ['can stand before a port', '127.0.0.1', '203.0.113.9:4711', PROXIES, '203.0.113.9'],
    ['can have an address of IPv6', 'fd00::1', '2001:db8::7', PROXIES, '2001:db8::7'],
    ['can stand in brackets', '127.0.0.1', '[2001:db8::7]:4711', PROXIES, '2001:db8::7'],
    ['is the same under a name of IPv6', '::ffff:127.0.0.1', '::ffff:203.0.113.9', PROXIES, '203.0.113.9'],
    ['is no one once it has gone', '', '203.0.113.9', PROXIES, ''],
  ])('%s', (_what, peer, forwardedFor, proxies, client) => {
    expect(clientOf(peer, forwardedFor, proxies)).toBe(client);
  });
});

const countedAs = (address: string, proxies: readonly string[]) =>
  createClientAddresses(proxies).countedAs(address);

describe('what guesses are counted under', () => {
  test('what guesses are counted under is the address, and of IPv6 the network that one line has', () => {
    expect(countedAs('8.8.8.8', [])).toBe('8.8.8.8');
    expect(countedAs('2a00:1:2:3::1', [])).toBe(countedAs('2a00:1:2:3:ffff::2', []));
    expect(countedAs('2a00:1:2:4::1', [])).not.toBe(countedAs('2a00:1:2:3::1', []));
  });

  test('what guesses are counted under is nothing for a proxy, which speaks for many', () => {
    expect(countedAs('10.1.2.3', PROXIES)).toBeNull();
    expect(countedAs('10.2.2.3', PROXIES)).toBe('10.2.2.3');
  });

  test('what guesses are counted under is nothing for an address inside as long as no one has said which of them are proxies', () => {
    expect(['127.0.0.1', '10.2.2.3', 'fd00::1', ''].map((address) => countedAs(address, []))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
