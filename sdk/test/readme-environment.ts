// What the reader of an SDK's README has in the environment: its line that takes it from the command line is run.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestGateway } from '../../server/test/gateway.ts';

const COMMAND_LINE = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url));

/** The sandbox has made a profile; here `malipo login` makes one in `folder`. */
const SCRIPT = `
npx() { shift; '${process.execPath}' '${COMMAND_LINE}' "$@"; }
printf %s "$TOKEN" | npx @malipo/cli login --url "$BASE" > /dev/null
`;

export async function readmeEnvironment(
  page: string,
  { gateway, folder }: { readonly gateway: TestGateway; readonly folder: string },
): Promise<Readonly<Record<string, string>>> {
  const line = /^eval .*$/m.exec(page)?.[0] ?? 'false';
  const { stdout } = await promisify(execFile)('/bin/sh', ['-e', '-c', `${SCRIPT}${line}\nenv`], {
    env: {
      PATH: process.env['PATH'],
      XDG_CONFIG_HOME: folder,
      BASE: gateway.url,
      TOKEN: gateway.apiToken,
    },
  });
  return Object.fromEntries(
    [...stdout.matchAll(/^(MALIPO_\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
}
