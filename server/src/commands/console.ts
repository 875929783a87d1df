// Puts the console together, where one is configured.
import { Mailer } from '../callbacks/mail.ts';
import { renderInvitation, renderReset } from '../callbacks/people-mail.ts';
import type { Config } from '../config.ts';
import type { Engine } from '../core/engine.ts';
import type { ConsoleParts } from '../edge/console/route.ts';
import { createSignIn } from '../edge/console/sign-in.ts';
import type { Closings } from './closings.ts';

/** Null where no key for it is configured. */
export function openConsole(
  { console, brand, mail }: Pick<Config, 'console' | 'brand' | 'mail'>,
  engine: Engine,
  closings: Closings,
): ConsoleParts | null {
  if (console === null) return null;
  const mailer = mail === null ? null : new Mailer(mail);
  closings.add(async () => mailer?.close());
  return {
    engine,
    signIn: createSignIn(engine, {
      key: console.key,
      issuer: brand.name,
      ...(mailer !== null && {
        mailReset: ({ email, link }) => mailer.send({ to: email, ...renderReset({ link }) }),
      }),
    }),
    gateway: brand.name,
    secondFactor: console.secondFactor,
    payoutApprovalAbove: console.payoutApprovalAbove ?? new Map(),
    mailInvitation:
      mailer === null
        ? null
        : ({ email, ...facts }) => mailer.send({ to: email, ...renderInvitation(facts) }),
  };
}
