// What Node refuses before there is a request: headers that are too large, text that is not HTTP, clients that are too
// slow. The answers have the same bodies as all others, in the words of the version whose path was asked for.
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { failureReason, type FailureReason } from '../domain/failure.ts';
import { renderError } from '../wire/v1/failure.ts';
import { isV1Path } from './v1/hosts.ts';

type ClientError = Error & { readonly code?: string; readonly rawPacket?: unknown };

/** `headers` are those that every answer of this gateway has. */
export function clientErrorAnswerer(log: FastifyBaseLogger, headers: Readonly<Record<string, string>>) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return (error: ClientError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, reason } = refusalOf(error);
    const errorId = randomUUID();
    log.warn({ errorId, code: reason.failureCode, status }, 'refused');
    const body = JSON.stringify(
      isV1Path(pathOf(error)) ? renderError(status, reason, errorId) : { failureReason: reason },
    );
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\ncontent-type: application/json; charset=utf-8\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\n${lines.join('')}connection: close\r\n\r\n${body}`,
    );
  };
}

function refusalOf({ code }: ClientError): { readonly status: number; readonly reason: FailureReason } {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, reason: failureReason('HEADERS_TOO_LARGE') };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, reason: failureReason('INVALID_INPUT', { cause: 'it did not arrive in time' }) };
    case undefined:
    default:
      return { status: 400, reason: failureReason('INVALID_INPUT', { cause: 'it is not HTTP' }) };
  }
}

/** As far as it arrived: Node keeps the last packet only. */
function pathOf({ rawPacket }: ClientError): string {
  const text = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1', 0, 2_048) : '';
  return /^[A-Z]+ (\/[^\s?]*)/.exec(text)?.[1] ?? '';
}
