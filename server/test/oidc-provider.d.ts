// The parts of npm's oidc-provider that tests use; it brings no types.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
  }

  type Context = { readonly path: string; body?: { id_token?: string } | undefined };
}
