// Requests as bytes.

export type Header = readonly [name: string, value: string];

export type Message = {
  readonly method: string;
  readonly path: string;
  readonly host: string;
  readonly headers: readonly Header[];
  readonly body: Buffer | null;
};

/** With the Content-Length of its body, unless the headers already have one. */
export function renderRequest({ method, path, host, headers, body }: Message): Buffer {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const all: Header[] = [...(names.has('host') ? [] : [['host', host] as const]), ...headers];
  const isFramed = names.has('content-length') || names.has('transfer-encoding');
  if (body !== null && !isFramed) all.push(['content-length', String(body.length)]);
  const lines = all.map(([name, value]) => `${name}: ${value}`);
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return body === null ? head : Buffer.concat([head, body]);
}

export const JSON_TYPE: Header = ['content-type', 'application/json'];

export function bearer(token: string): Header {
  return ['authorization', `Bearer ${token}`];
}
