// The OpenAPI documents, made from the routes.
import { registerConsole } from '../../../edge/console/plugin.ts';
import type { ConsoleParts } from '../../../edge/console/route.ts';
import {
  consoleOpenApiOptions,
  createOpenApi,
  earlierOpenApiOptions,
  sandboxOpenApiOptions,
} from '../../../edge/openapi.ts';
import { registerV1 } from '../../../edge/v1/plugin.ts';
import { registerV2 } from '../../../edge/v2/plugin.ts';

/** How each document is made, by the name of its file. */
export const DOCUMENTS: Readonly<Record<string, () => Promise<object>>> = {
  'v2.json': () => createOpenApi((app, engine) => registerV2(app, engine)),
  'v1.json': () => createOpenApi((app, engine) => registerV1(app, engine), earlierOpenApiOptions()),
  'console.json': () =>
    createOpenApi(
      // Routes only keep their parts for later requests, and no request will come.
      (app, engine) => registerConsole(app, { engine } as ConsoleParts),
      consoleOpenApiOptions(),
    ),
  'sandbox.json': async () => {
    // Only while it runs, as everywhere in the composition.
    const { registerSandbox } = await import('../../../sandbox/control/plugin.ts');
    return createOpenApi(
      (app, engine) => registerSandbox(app, engine, { simulator: null, clock: null, fakeUrls: new Map() }),
      sandboxOpenApiOptions(),
    );
  },
};
