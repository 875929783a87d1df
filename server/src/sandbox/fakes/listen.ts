// Starts a fake's server, on a free port by default.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Returns the port. */
export async function listen(server: Server, address: { host: string; port: number }): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, resolve);
  });
  return (server.address() as AddressInfo).port;
}
