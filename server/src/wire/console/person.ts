// The signed-in user, and how people join.
import { Type } from 'typebox';
import { PASSWORD_LENGTH } from '../../domain/merchants/people.ts';
import {
  HOST_PERMISSIONS,
  HOST_ROLES,
  MERCHANT_PERMISSIONS,
  MERCHANT_ROLES,
} from '../../domain/merchants/roles.ts';
import { DONE, merchantPath, orNull, outcomeSchema, strict, timeSchema, type Shape } from './shape.ts';

export const roleSchema = Type.Enum([...MERCHANT_ROLES, ...HOST_ROLES], { type: 'string' });
const permissionSchema = Type.Enum([...MERCHANT_PERMISSIONS, ...HOST_PERMISSIONS], { type: 'string' });
const nameSchema = Type.String({ minLength: 1, maxLength: 100 });
const emailSchema = Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$' });
const passwordSchema = Type.String({ minLength: PASSWORD_LENGTH.min, maxLength: PASSWORD_LENGTH.max });
const tokenSchema = Type.String({ minLength: 1, maxLength: 100 });

export const readMeShape = {
  answer: strict({
    personId: Type.String(),
    name: Type.String(),
    email: Type.String(),
    hasTwoFactor: Type.Boolean(),
    /** Whether it must be set up before anything else. */
    needsTwoFactor: Type.Boolean(),
    environment: Type.Enum(['sandbox', 'production'], { type: 'string' }),
    /** The host's name for this gateway. */
    gateway: Type.String(),
    host: orNull(
      strict({
        role: roleSchema,
        permissions: Type.Array(permissionSchema),
        /** The permissions of this role at every merchant. */
        withinMerchants: Type.Array(permissionSchema),
      }),
    ),
    merchants: Type.Array(
      strict({
        merchantId: Type.String(),
        name: Type.String(),
        role: roleSchema,
        permissions: Type.Array(permissionSchema),
      }),
    ),
  }),
} satisfies Shape;

export const confirmShape = {
  body: strict({ password: Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH.max }) }),
  answer: strict({ confirmedUntil: timeSchema }),
} satisfies Shape;

export const readInvitationShape = {
  path: strict({ token: tokenSchema }),
  answer: strict({ email: Type.String(), role: roleSchema, team: Type.String(), isKnown: Type.Boolean() }),
} satisfies Shape;

/** For a new user. A user with an account signs in and accepts. */
export const joinShape = {
  body: strict({ token: tokenSchema, name: nameSchema, password: passwordSchema }),
  answer: DONE,
} satisfies Shape;

export const acceptInvitationShape = { body: strict({ token: tokenSchema }), answer: DONE } satisfies Shape;

const teamSchema = strict({
  members: Type.Array(
    strict({
      personId: Type.String(),
      name: Type.String(),
      email: Type.String(),
      role: roleSchema,
      hasTwoFactor: Type.Boolean(),
      since: timeSchema,
    }),
  ),
  invitations: Type.Array(
    strict({
      invitationId: Type.String(),
      email: Type.String(),
      role: roleSchema,
      invitedBy: Type.String(),
      expiresAt: timeSchema,
    }),
  ),
});

/** The link is returned if it cannot be mailed. */
const invitedSchema = strict({ link: orNull(Type.String()), outcome: outcomeSchema });
const merchantRoleSchema = Type.Enum([...MERCHANT_ROLES], { type: 'string' });
const hostRoleSchema = Type.Enum([...HOST_ROLES], { type: 'string' });
const memberPath = strict({ ...merchantPath.properties, personId: Type.String({ maxLength: 64 }) });
const invitationPath = strict({ ...merchantPath.properties, invitationId: Type.String({ format: 'uuid' }) });
const hostMemberPath = strict({ personId: Type.String({ maxLength: 64 }) });
const hostInvitationPath = strict({ invitationId: Type.String({ format: 'uuid' }) });

export const readTeamShape = { path: merchantPath, answer: teamSchema } satisfies Shape;
export const inviteShape = {
  path: merchantPath,
  body: strict({ email: emailSchema, role: merchantRoleSchema }),
  answer: invitedSchema,
} satisfies Shape;
export const changeRoleShape = {
  path: memberPath,
  body: strict({ role: merchantRoleSchema }),
  answer: strict({ outcome: outcomeSchema }),
} satisfies Shape;
export const removeMemberShape = { path: memberPath, answer: DONE } satisfies Shape;
export const withdrawInvitationShape = { path: invitationPath, answer: DONE } satisfies Shape;

export const readHostTeamShape = { answer: teamSchema } satisfies Shape;
export const inviteHostShape = {
  body: strict({ email: emailSchema, role: hostRoleSchema }),
  answer: invitedSchema,
} satisfies Shape;
export const changeHostRoleShape = {
  path: hostMemberPath,
  body: strict({ role: hostRoleSchema }),
  answer: strict({ outcome: outcomeSchema }),
} satisfies Shape;
export const removeHostMemberShape = { path: hostMemberPath, answer: DONE } satisfies Shape;
export const withdrawHostInvitationShape = { path: hostInvitationPath, answer: DONE } satisfies Shape;
