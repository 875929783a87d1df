// The signed-in user, and how people join.
import { Type } from 'typebox';
import { PASSWORD_LENGTH } from '../../domain/merchants/people.ts';
import {
  HOST_PERMISSIONS,
  HOST_ROLES,
  MERCHANT_PERMISSIONS,
  MERCHANT_ROLES,
} from '../../domain/merchants/roles.ts';
import { regionalFields } from './merchant/regional-settings.ts';
import {
  DONE,
  merchantPath,
  orNull,
  outcomeSchema,
  strict,
  timeSchema,
  describeCalls,
  arrayOf,
  strictOrNull,
} from './shape.ts';

export const roleSchema = Type.Enum([...MERCHANT_ROLES, ...HOST_ROLES], { type: 'string' });
const permissionSchema = Type.Enum([...MERCHANT_PERMISSIONS, ...HOST_PERMISSIONS], { type: 'string' });
const nameSchema = Type.String({ minLength: 1, maxLength: 100 });
const emailSchema = Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$' });
const passwordSchema = Type.String({ minLength: PASSWORD_LENGTH.min, maxLength: PASSWORD_LENGTH.max });
const tokenSchema = Type.String({ minLength: 1, maxLength: 100 });

const languageSchema = Type.Enum(['en', 'fr'], { type: 'string' });

const teamSchema = strict({
  members: arrayOf({
    personId: Type.String(),
    name: Type.String(),
    email: Type.String(),
    role: roleSchema,
    hasTwoFactor: Type.Boolean(),
    since: timeSchema,
  }),
  invitations: arrayOf({
    invitationId: Type.String(),
    email: Type.String(),
    role: roleSchema,
    invitedBy: Type.String(),
    expiresAt: timeSchema,
  }),
});

/** The link is returned if it cannot be mailed. */
const invitedSchema = strict({ link: orNull(Type.String()), outcome: outcomeSchema });
const merchantRoleSchema = Type.Enum([...MERCHANT_ROLES], { type: 'string' });
const hostRoleSchema = Type.Enum([...HOST_ROLES], { type: 'string' });
const memberPath = strict({ ...merchantPath.properties, personId: Type.String({ maxLength: 64 }) });
const invitationPath = strict({ ...merchantPath.properties, invitationId: Type.String({ format: 'uuid' }) });
const hostMemberPath = strict({ personId: Type.String({ maxLength: 64 }) });
const hostInvitationPath = strict({ invitationId: Type.String({ format: 'uuid' }) });

export const personCalls = describeCalls({
  setLanguage: { body: strict({ language: languageSchema }), answer: DONE },
  readMe: {
    answer: strict({
      personId: Type.String(),
      /** In which mails are written; null before it was said. */
      language: orNull(languageSchema),
      name: Type.String(),
      email: Type.String(),
      hasTwoFactor: Type.Boolean(),
      /** Whether it must be set up before anything else. */
      needsTwoFactor: Type.Boolean(),
      /** Who signed in at the identity provider also confirms there. */
      signedInWith: Type.Enum(['PASSWORD', 'PROVIDER'], { type: 'string' }),
      environment: Type.Enum(['sandbox', 'production'], { type: 'string' }),
      /** The host's name for this gateway. */
      gateway: Type.String(),
      host: strictOrNull({
        role: roleSchema,
        permissions: Type.Array(permissionSchema),
        /** The permissions of this role at every merchant. */
        withinMerchants: Type.Array(permissionSchema),
      }),
      merchants: arrayOf({
        merchantId: Type.String(),
        name: Type.String(),
        role: roleSchema,
        ...regionalFields,
        permissions: Type.Array(permissionSchema),
      }),
    }),
  },
  readSignIn: { answer: strict({ provider: strictOrNull({ name: Type.String() }) }) },
  confirm: {
    body: strict({ password: Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH.max }) }),
    answer: strict({ confirmedUntil: timeSchema }),
  },
  readInvitation: {
    path: strict({ token: tokenSchema }),
    answer: strict({ email: Type.String(), role: roleSchema, team: Type.String(), isKnown: Type.Boolean() }),
  },
  /** For a new user. A user with an account signs in and accepts. */
  join: {
    body: strict({ token: tokenSchema, name: nameSchema, password: passwordSchema }),
    answer: DONE,
  },
  acceptInvitation: { body: strict({ token: tokenSchema }), answer: DONE },
  readTeam: { path: merchantPath, answer: teamSchema },
  invite: {
    path: merchantPath,
    body: strict({ email: emailSchema, role: merchantRoleSchema }),
    answer: invitedSchema,
  },
  changeRole: {
    path: memberPath,
    body: strict({ role: merchantRoleSchema }),
    answer: strict({ outcome: outcomeSchema }),
  },
  removeMember: { path: memberPath, answer: DONE },
  withdrawInvitation: { path: invitationPath, answer: DONE },
  readHostTeam: { answer: teamSchema },
  inviteToHost: {
    body: strict({ email: emailSchema, role: hostRoleSchema }),
    answer: invitedSchema,
  },
  changeHostRole: {
    path: hostMemberPath,
    body: strict({ role: hostRoleSchema }),
    answer: strict({ outcome: outcomeSchema }),
  },
  removeHostMember: { path: hostMemberPath, answer: DONE },
  withdrawHostInvitation: { path: hostInvitationPath, answer: DONE },
});
