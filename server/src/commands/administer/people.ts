// People who sign in to the dashboard: the first ones, and those who have lost their password.
import { removeTwoFactor } from '../../core/merchants/remove-two-factor.ts';
import { askedByCommand } from '../../core/approvals/request.ts';
import { requestInvitation } from '../../core/merchants/request-members.ts';
import { hasFirstAdministrators, invite, readTeam, type InvitationOrder } from '../../core/merchants/team.ts';
import type { Engine } from '../../core/engine.ts';
import { MERCHANT_ROLES } from '../../domain/merchants/roles.ts';
import { findPersonByEmail } from '../../store/merchants/people.ts';
import type { ConsoleParts } from '../../edge/console/route.ts';
import {
  print,
  readOptions,
  refuse,
  REQUESTED,
  requireOneOf,
  requirePerson,
  requireText,
  TEXT,
  UsageError,
  withGateway,
  withMerchant,
  type Command,
  type OptionValues,
} from '../command.ts';
import type { Gateway } from '../serve/compose.ts';
import { requireUrl } from './public-url.ts';

const inviteAdministratorCommand: Command = {
  usage: '--email ADDRESS --by NAME',
  summary: 'invite a platform administrator; prints a link that works once. After the first two, by approval',
  run: async (args) => {
    const values = readOptions(args, { email: TEXT, by: TEXT });
    const order = { by: requirePerson(values), email: requireEmail(values), merchantId: null };
    await withGateway(async (gateway) => {
      await inviteOrAsk(gateway.engine, { ...order, role: 'OPERATOR_ADMIN' });
    });
  },
};

const invitePersonCommand: Command = {
  usage: '--merchant ID --email ADDRESS --role ROLE --by NAME',
  summary:
    "invite a person to a merchant's team; prints a link, in production after approval where the role can " +
    'approve',
  run: async (args) => {
    const values = readOptions(args, { merchant: TEXT, email: TEXT, role: TEXT, by: TEXT });
    const by = requirePerson(values);
    const role = requireOneOf(MERCHANT_ROLES, values, 'role');
    const email = requireEmail(values);
    await withMerchant(values, async (engine, { merchantId }) => {
      await inviteOrAsk(engine, { by, email, role, merchantId });
    });
  },
};

const listPeopleCommand: Command = {
  usage: '[--merchant ID]',
  summary: "list the people of a merchant's team, or of the platform's",
  run: async (args) => {
    const values = readOptions(args, { merchant: TEXT });
    await withGateway(async ({ engine }) => {
      const merchantId = typeof values['merchant'] === 'string' ? values['merchant'] : null;
      const { members } = await readTeam(engine, merchantId);
      for (const { email, name, role, hasTwoFactor } of members) {
        print([email, name, role, hasTwoFactor ? 'two-factor authentication' : 'password only'].join('\t'));
      }
    });
  },
};

const resetPasswordCommand: Command = {
  usage: '--email ADDRESS --by NAME',
  summary: 'print a link to choose a new password, in production mail it; it works for an hour',
  run: async (args) => {
    const values = readOptions(args, { email: TEXT, by: TEXT });
    const by = requirePerson(values);
    const email = requireEmail(values);
    await withGateway(async (gateway) => {
      const person = await findPersonByEmail(gateway.engine.store.database, email);
      if (person === null) return refuse(`There is no one with the address ${email}.`);
      const { signIn, mailReset } = requireConsole(gateway);
      const mustMail = await isAfterFirstAdministrators(gateway.engine, email);
      if (mustMail && mailReset === null) return refuse(NO_MAIL);
      const token = await signIn.createResetToken({ personId: person.personId, by, email });
      if (!mustMail || mailReset === null) {
        return print(`${requireUrl(gateway.engine)}/dashboard/new-password/${token}`);
      }
      await mailReset({ email, token });
      print('mailed');
    });
  },
};

const removeTwoFactorCommand: Command = {
  usage: '--email ADDRESS --by NAME',
  summary: 'remove the two-factor authentication (2FA) of a person who has lost it, and end their sessions',
  run: async (args) => {
    const values = readOptions(args, { email: TEXT, by: TEXT });
    const by = requirePerson(values);
    const email = requireEmail(values);
    await withGateway(async ({ engine }) => {
      const person = await findPersonByEmail(engine.store.database, email);
      if (person === null) return refuse(`There is no one with the address ${email}.`);
      const hadOne = await removeTwoFactor(engine, { by, email, personId: person.personId });
      return hadOne ? print('removed') : refuse('They have no two-factor authentication.');
    });
  },
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

function requireEmail(values: OptionValues): string {
  const email = requireText(values, 'email').trim().toLowerCase();
  if (/^[^\s@]+@[^\s@]+$/.test(email)) return email;
  throw new UsageError('--email must be a mail address.');
}

function requireConsole({ console }: Gateway): ConsoleParts {
  if (console !== null) return console;
  throw new UsageError('There is no console here: MALIPO_CONSOLE_KEY is not set.');
}

export const peopleCommands: ReadonlyMap<string, Command> = new Map([
  ['administrator invite', inviteAdministratorCommand],
  ['person invite', invitePersonCommand],
  ['person list', listPeopleCommand],
  ['person reset-password', resetPasswordCommand],
  ['person remove-two-factor', removeTwoFactorCommand],
]);
