// People who sign in to the dashboard: the first ones, and those who have lost their password.
import { removeTwoFactor } from '../../core/merchants/remove-two-factor.ts';
import { askedByCommand } from '../../core/approvals/request.ts';
import { requestInvitation } from '../../core/merchants/request-members.ts';
import { hasFirstAdministrators, invite, readTeam, type InvitationOrder } from '../../core/merchants/team.ts';
import type { Engine } from '../../core/engine.ts';
import { MERCHANT_ROLES } from '../../domain/merchants/roles.ts';
import { hasProviderOnly } from '../../store/merchants/identities.ts';
import { findPersonByEmail } from '../../store/merchants/people.ts';
import type { ConsoleParts } from '../../edge/console/route.ts';
import { gatewayCommand, merchantCommand, REQUESTED } from '../command.ts';
import { print, refuse, row } from '../output.ts';
import { UsageError, type Options } from '../options.ts';
import type { Gateway } from '../serve/compose.ts';
import { requireUrl } from './public-url.ts';

export const peopleCommands = {
  'administrator invite': gatewayCommand({
    usage: '--email ADDRESS --by NAME',
    summary: 'invite a platform administrator; prints a link. Needs approval after the first two',
    read: readAboutPerson,
    run: async ({ engine }, order) =>
      inviteOrAsk(engine, { ...order, merchantId: null, role: 'OPERATOR_ADMIN' }),
  }),
  'administrator invite-break-glass': gatewayCommand({
    usage: '--email ADDRESS --by NAME',
    summary: 'invite the account that signs in without the identity provider; prints a link',
    read: readAboutPerson,
    run: async ({ engine }, order) =>
      inviteOrAsk(engine, { ...order, merchantId: null, role: 'BREAK_GLASS' }),
  }),
  'person invite': merchantCommand({
    usage: '--merchant ID --email ADDRESS --role ROLE --by NAME',
    summary: 'invite a person; prints a link. A role that can approve needs approval',
    read: (options) => ({ ...readAboutPerson(options), role: options.oneOf('role', MERCHANT_ROLES) }),
    run: inviteOrAsk,
  }),
  'person list': gatewayCommand({
    usage: '[--merchant ID]',
    summary: "list a team's people, or the platform's",
    read: (options) => options.textOrNull('merchant'),
    run: async ({ engine }, merchantId) => {
      const { members } = await readTeam(engine, merchantId);
      for (const { email, name, role, hasTwoFactor } of members)
        print(row(email, name, role, hasTwoFactor ? 'two-factor authentication' : 'password only'));
    },
  }),
  'person reset-password': gatewayCommand({
    usage: '--email ADDRESS --by NAME',
    summary: 'create a password reset link, which production emails',
    read: readAboutPerson,
    run: async (gateway, { by, email }) => {
      const person = await findPersonByEmail(gateway.engine.store.database, email);
      if (person === null) return refuse(`No person has the email address ${email}.`);
      const { signIn, mailReset, provider } = requireConsole(gateway);
      if (provider !== null && (await hasProviderOnly(gateway.engine.store.database, person.personId)))
        return refuse('This person signs in with the identity provider, and has no password.');
      const mustMail = await isAfterFirstAdministrators(gateway.engine, email);
      if (mustMail && mailReset === null) return refuse(NO_MAIL);
      const token = await signIn.createResetToken({ personId: person.personId, by, email });
      if (!mustMail || mailReset === null) {
        return print(`${requireUrl(gateway.engine)}/dashboard/new-password/${token}`);
      }
      await mailReset({ email, token });
      print('mailed');
    },
  }),
  'person remove-two-factor': gatewayCommand({
    usage: '--email ADDRESS --by NAME',
    summary: 'remove two-factor authentication (2FA), and end all sessions',
    read: readAboutPerson,
    run: async ({ engine }, { by, email }) => {
      const person = await findPersonByEmail(engine.store.database, email);
      if (person === null) return refuse(`No person has the email address ${email}.`);
      const hadOne = await removeTwoFactor(engine, { by, email, personId: person.personId });
      return hadOne ? print('removed') : refuse('This person has no two-factor authentication.');
    },
  }),
};

const NO_MAIL = 'In production the link is mailed to the person. Set MALIPO_SMTP_URL first.';

/** The link is printed only where no approval is needed: with it one could act as somebody else. */
async function inviteOrAsk(engine: Engine, order: InvitationOrder): Promise<void> {
  const { by, merchantId } = order;
  const isFirst = merchantId === null && !(await isAfterFirstAdministrators(engine, order.email));
  const url = requireUrl(engine);
  const token = isFirst
    ? await invite(engine, order)
    : await requestInvitation(engine, { ...order, ...askedByCommand(engine, by) });
  print(token === null ? REQUESTED : `${url}/dashboard/join/${token}`);
}

/** Before there are two administrators, in production, no one could approve. */
async function isAfterFirstAdministrators(engine: Engine, email: string): Promise<boolean> {
  return engine.environment === 'production' && (await hasFirstAdministrators(engine, email));
}

function readAboutPerson(options: Options): { readonly by: string; readonly email: string } {
  const by = options.person();
  const email = options.text('email').trim().toLowerCase();
  if (/^[^\s@]+@[^\s@]+$/.test(email)) return { by, email };
  throw new UsageError('--email must be an email address.');
}

function requireConsole({ console }: Gateway): ConsoleParts {
  if (console !== null) return console;
  throw new UsageError('The dashboard is off: MALIPO_CONSOLE_KEY is not set.');
}
