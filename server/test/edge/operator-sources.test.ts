// From where operators' messages are read.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mpesaDaraja } from '../../src/connectors/mpesa-daraja/connector.ts';
import type { Connector } from '../../src/connectors/port.ts';
import { createOperatorSources } from '../../src/core/operators/operator-sources.ts';
import { openTestGateway, select, type TestGateway } from '../gateway.ts';

describe('B1: a list of source addresses', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await openTestGateway({
      trustedProxies: ['127.0.0.1'],
      operators: { bindings: [], timing: {}, sources: { wave: ['192.0.2.0/24', '2001:db8::/32'] } },
    });
  });
  afterAll(() => gateway.stop());

  const post = async (name: string, from: string) => {
    const headers = { 'x-forwarded-for': from };
    const url = `${gateway.url}/operators/${name}/notifications/of/WAVE_SEN`;
    return (await fetch(url, { method: 'POST', headers, body: '{}' })).status;
  };
  const countKept = async () => (await select(gateway, 'select 1 from operator_notifications')).length;

  test('B1: a list of source addresses keeps messages from elsewhere out, and nothing of them is stored', async () => {
    const before = await countKept();
    expect(await post('wave', '198.51.100.7')).toBe(404);
    expect(await countKept()).toBe(before);
    expect(await post('wave', '192.0.2.9')).toBe(200);
    expect(await post('wave', '2001:db8::1')).toBe(200);
    const { text } = await gateway.gateway.metrics.render();
    expect(text).toContain('malipo_notifications_total{connector="wave",reading="WRONG_SOURCE"} 1');
  });

  test('B1: a list of source addresses is optional for every other connector', async () => {
    expect(await post('mtn-momo', '198.51.100.7')).toBe(200);
  });
});

describe("B1: Safaricom's own list", () => {
  const daraja = connectorOf();
  const allows = (environment: 'production' | 'sandbox', address: string, sources = {}) =>
    createOperatorSources({ environment, operators: { sources } }).allows(daraja, address);

  test("B1: Safaricom's own list counts in production without any setting, and not in the sandbox, where fakes post", () => {
    expect(allows('production', '196.201.214.200')).toBe(true);
    expect(allows('production', '127.0.0.1')).toBe(false);
    expect(allows('production', 'nowhere')).toBe(false);
    expect(allows('sandbox', '127.0.0.1')).toBe(true);
  });

  test("B1: Safaricom's own list is replaced by the one of the host", () => {
    const sources = { 'mpesa-daraja': ['192.0.2.1'] };
    expect(allows('production', '192.0.2.1', sources)).toBe(true);
    expect(allows('production', '196.201.214.200', sources)).toBe(false);
    expect(allows('sandbox', '127.0.0.1', sources)).toBe(false);
  });
});

const unused = () => Promise.reject(new Error('nothing is sent'));

function connectorOf(): Connector {
  return mpesaDaraja.create({
    clock: { now: () => new Date() },
    findAccount: unused,
    createAnswerUrl: unused,
    tokens: { find: unused, lease: unused, keep: unused, release: unused, withdraw: unused },
    rates: { takeSlot: unused, pause: unused },
    record: () => undefined,
    timing: {},
  });
}
