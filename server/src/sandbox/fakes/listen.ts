// Lets a fake's server listen, on a port of its own where none is given.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers the port. */
export async function listen(server: Server, address: { host: string; port: number }): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, resolve);
  });
  return (server.address() as AddressInfo).port;
}
