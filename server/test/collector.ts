// A collector of traces, for tests: a real listener that takes OTLP over HTTP in JSON and remembers every span.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type CollectedSpan = {
  /** The process that sent it: `malipo-api`. */
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: number;
  readonly startNano: bigint;
  readonly endNano: bigint;
  readonly isFailure: boolean;
  readonly attributes: Readonly<Record<string, string>>;
};

export type Collector = {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Everything it was sent, headers and bodies, as text. */
  readonly text: () => string;
  readonly requests: () => readonly { readonly authorization: string | undefined; readonly spans: number }[];
  /** The status of the next answers; null leaves requests without an answer. */
  readonly answerWith: (status: number | null) => void;
  readonly stop: () => Promise<void>;
};

export async function startCollector(status: number | null = 200): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const requests: { authorization: string | undefined; spans: number }[] = [];
  let text = '';
  let answer = status;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      text += `${request.method} ${request.url} ${JSON.stringify(request.rawHeaders)}\n${body}\n`;
      const sent = readSpans(body);
      requests.push({ authorization: request.headers.authorization, spans: sent.length });
      if (answer === null) return;
      if (answer === 200) spans.push(...sent);
      response.writeHead(answer, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    spans,
    text: () => text,
    requests: () => requests,
    answerWith: (wanted) => {
      answer = wanted;
    },
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function readSpans(body: string): CollectedSpan[] {
  const { resourceSpans } = JSON.parse(body) as { resourceSpans: Record<string, any>[] };
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope: Record<string, any>) =>
      scope['spans'].map((span: Record<string, any>) => ({
        service: readAttributes(resource.attributes)['service.name'],
        traceId: span['traceId'],
        spanId: span['spanId'],
        parentSpanId: span['parentSpanId'],
        name: span['name'],
        kind: span['kind'],
        startNano: BigInt(span['startTimeUnixNano']),
        endNano: BigInt(span['endTimeUnixNano']),
        isFailure: span['status']?.code === 2,
        attributes: readAttributes(span['attributes']),
      })),
    ),
  );
}

function readAttributes(attributes: Record<string, any>[]): Record<string, string> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]) as [string, string][],
  );
}
