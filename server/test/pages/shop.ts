// The shop a payer returns to: remembers how it was asked for.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Shop = { readonly url: string; readonly stop: () => Promise<void> };

export async function openShop(): Promise<Shop> {
  const server = createServer((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>Shop</title><p>Thank you.</p>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
