// Puts the console together.
import { Mailer, type MailSettings } from '../../callbacks/mail.ts';
import { renderInvitation, renderNotice, renderReset } from '../../callbacks/people-mail.ts';
import type { Config } from '../../config.ts';
import { ConfigError } from '../../config-values.ts';
import type { Engine } from '../../core/engine.ts';
import { note } from '../../edge/console/sign-in/record-sign-in.ts';
import type { ConsoleParts } from '../../edge/console/route.ts';
import { createSignIn } from '../../edge/console/sign-in/sign-in.ts';
import { createPeopleMailRound } from '../../jobs/callbacks/mail-people.ts';
import { startLoop } from '../../jobs/start-loop.ts';
import { openDatabase, type Database } from '../../store/database.ts';
import type { ShutdownHooks } from './shutdown-hooks.ts';

/** People's searches can take long. They wait for each other, and never take a connection from a payment. */
const CONNECTIONS_MAX = 5;

export function openConsole(
  config: Pick<Config, 'cell' | 'connections' | 'brand' | 'mail' | 'monitor' | 'retention'> & {
    readonly console: NonNullable<Config['console']>;
  },
  engineOn: (database: Database) => Engine,
  shutdownHooks: ShutdownHooks,
): ConsoleParts {
  const { console, brand, mail, monitor, retention } = config;
  const database = openDatabase({
    url: config.cell.databaseUrl,
    connectionsMax: CONNECTIONS_MAX,
    applicationName: 'malipo console',
    connections: config.connections,
  });
  shutdownHooks.add(() => database.end());
  const engine = engineOn(database);
  const mailer = mail === null ? null : new Mailer(mail);
  // Never the Host of the request: anyone who asks for another person's mail writes that.
  const linksBegin = mailer === null ? '' : requirePublicUrl(engine);
  shutdownHooks.add(async () => mailer?.close());
  const mailReset: ConsoleParts['mailReset'] =
    mailer === null
      ? null
      : ({ email, token }) => {
          const link = `${linksBegin}/dashboard/new-password/${token}`;
          return mailer.send({ to: email, ...renderReset({ link }) });
        };
  const mailNotice: ConsoleParts['mailNotice'] =
    mailer === null
      ? null
      : ({ email, notice }) =>
          mailer.send({ to: email, ...renderNotice({ notice, at: engine.wallClock.now() }) });
  return {
    engine,
    signIn: createSignIn(engine, {
      keys: [console.key, ...(console.olderKeys ?? [])],
      issuer: brand.name,
      twoFactor: console.twoFactor,
      provider: console.provider ?? null,
      wasReset: (email) => note({ engine, mailNotice }, email, 'PASSWORD_CHANGED'),
      ...(mailReset !== null && { mailReset }),
    }),
    gateway: brand.name,
    twoFactor: console.twoFactor,
    provider: console.provider ?? null,
    secondApprover: console.secondApprover ?? 'REQUIRED',
    monitor,
    retention,
    payoutApprovalAbove: console.payoutApprovalAbove ?? new Map(),
    mailReset,
    mailNotice,
    mailInvitation:
      mailer === null
        ? null
        : ({ email, ...facts }) => mailer.send({ to: email, ...renderInvitation(facts) }),
  };
}

/** How soon an approver hears of a request; the rest is about days. */
const PEOPLE_MAIL_POLL_MS = 5_000;

/** Mails people what they should act on. Answers how to stop it. */
export function startPeopleMail(
  engine: Engine,
  { mail, brand }: { readonly mail: MailSettings; readonly brand: Config['brand'] },
  report: (where: string, error: unknown) => void,
): () => Promise<void> {
  const mailer = new Mailer(mail);
  const publicUrl = requirePublicUrl(engine);
  const round = createPeopleMailRound(engine, { mailer, gateway: brand.name, publicUrl });
  const loop = startLoop(engine, 'people-mail', { pollMs: PEOPLE_MAIL_POLL_MS, round }, report);
  return async () => {
    await loop.stop();
    mailer.close();
  };
}

function requirePublicUrl({ publicUrl }: Engine): string {
  if (publicUrl !== null) return publicUrl.replace(/\/$/, '');
  throw new ConfigError(
    'MALIPO_PUBLIC_URL must be set where people sign in and mails are sent: links begin with it.',
  );
}
