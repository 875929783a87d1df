// A request to a gateway by the name of a host, and with a body whatever the method: `fetch` allows neither.
import { request as httpRequest } from 'node:http';
import type { Answer, TestGateway } from './gateway.ts';

export type HostRequest = {
  /** Without one, the address of the gateway. */
  readonly host?: string;
  readonly body?: unknown;
  /** Without a token. */
  readonly anonymous?: boolean;
};

export function askHost(
  { url, apiToken }: Pick<TestGateway, 'url' | 'apiToken'>,
  method: string,
  path: string,
  { host, body, anonymous = false }: HostRequest = {},
): Promise<Answer> {
  const { hostname, port, host: own } = new URL(url);
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    host: host ?? own,
    'content-type': 'application/json',
    ...(!anonymous && { authorization: `Bearer ${apiToken}` }),
    ...(payload !== undefined && { 'content-length': Buffer.byteLength(payload) }),
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, method, path, headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode!, body: JSON.parse(text) }));
    });
    request.on('error', reject);
    request.end(payload);
  });
}
