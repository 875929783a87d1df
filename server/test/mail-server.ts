// A mail server that takes whatever it is sent.
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export type MailServer = { readonly smtpUrl: string; readonly stop: () => Promise<void> };

export async function startMailServer(): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, _session, done) => {
      stream.on('end', () => done());
      stream.resume();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  return {
    smtpUrl: `smtp://127.0.0.1:${port}`,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
