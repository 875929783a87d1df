// `malipo-server openapi`: writes the OpenAPI documents from the routes. CI fails when the committed ones differ.
import { readFile, writeFile } from 'node:fs/promises';
import { createOpenApi } from '../edge/openapi.ts';
import { registerV2 } from '../edge/v2/plugin.ts';
import { print, readOptions, UsageError, type Command } from './command.ts';

const DOCUMENTS = new URL('../../../openapi/', import.meta.url);

export const openApiCommand: Command = {
  usage: 'openapi [--check]',
  summary: 'write the OpenAPI documents from the routes, or check that they are current',
  run: async (args) => {
    const { check } = readOptions(args, { check: { type: 'boolean', default: false } });
    const file = new URL('v2.json', DOCUMENTS);
    const text = `${JSON.stringify(await createOpenApi(registerV2), null, 2)}\n`;
    if (check === true) {
      const committed = await readFile(file, 'utf8').catch(() => '');
      if (committed !== text) throw new UsageError('openapi/v2.json is not current. Run: npm run openapi');
      print('openapi/v2.json is current');
      return;
    }
    await writeFile(file, text);
    print('wrote openapi/v2.json');
  },
};
