// The upgrade drill needs history that a clone may lack, so it is not run with every change; what it takes from other
// files must stand there all the same.
import { expect, test } from 'vitest';
import { renderProxy } from '../../proof/upgrade/proxy.ts';
import { findEarlier, NoDrill } from '../../proof/upgrade/releases.ts';

test('a release that the history does not reach is refused with what to do', async () => {
  const found = findEarlier('no-such-release');
  await expect(found).rejects.toThrow(NoDrill);
  await expect(found).rejects.toThrow(
    'There is no no-such-release in this clone. A shallow clone has no history',
  );
});

test("the drill's proxy is the file of a host, at other ports and without a certificate", () => {
  const text = renderProxy({ port: 7001, ports: [7002, 7003], looksEveryMs: 500 });
  expect(text).toContain('bind 127.0.0.1:7001\n');
  expect(text).toMatch(/server one 127\.0\.0\.1:7002\n *server two 127\.0\.0\.1:7003\n/);
  expect(text).toContain('check inter 500ms fall 1 rise 2');
  expect(text).not.toMatch(/crt|8080|8081/);
});
