// Requests that belong to another cell.
import type { FastifyRequest } from 'fastify';
import { HOPS_HEADER } from '../../cells/hops.ts';
import type { Engine } from '../../core/engine.ts';

/** Nothing was done: one of these cells can answer. */
export class RequestForOtherCell extends Error {
  readonly cells: readonly string[];

  constructor(cells: readonly string[]) {
    super('the request belongs to another cell');
    this.name = 'RequestForOtherCell';
    this.cells = cells;
  }
}

/** How many cells have handed a request on before it came here. */
export function hopsOf({ forwarder }: Pick<Engine, 'forwarder'>, request: FastifyRequest): number {
  const header = request.headers[HOPS_HEADER];
  const { method, url: path } = request;
  return forwarder.hopsOf({ method, path, header: typeof header === 'string' ? header : undefined });
}
