// The names of columns in the authentication library's words, and in ours.
export const STAMPS = { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' } as const;
export const PERSON_FIELDS = {
  emailVerified: 'email_verified',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const;
export const SESSION_FIELDS = {
  ...STAMPS,
  userId: 'person_id',
  ipAddress: 'ip_address',
  userAgent: 'user_agent',
} as const;
/** What we keep of a session beside the library's own. No client can set it. */
export const SESSION_FIELDS_OF_OURS = {
  providerSubject: { type: 'string', required: false, input: false, fieldName: 'provider_subject' },
  isMultiFactor: { type: 'boolean', required: false, input: false, fieldName: 'is_multi_factor' },
  confirmedAt: { type: 'date', required: false, input: false, fieldName: 'confirmed_at' },
} as const;
export const PASSWORD_FIELDS = {
  userId: 'person_id',
  accountId: 'account_id',
  providerId: 'provider_id',
  accessToken: 'access_token',
  refreshToken: 'refresh_token',
  idToken: 'id_token',
  accessTokenExpiresAt: 'access_token_expires_at',
  refreshTokenExpiresAt: 'refresh_token_expires_at',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const;
export const RATE_FIELDS = { lastRequest: 'last_request' } as const;
export const TWO_FACTOR_SCHEMA = {
  user: { fields: { twoFactorEnabled: 'has_two_factor' } },
  twoFactor: {
    modelName: 'people_two_factors',
    fields: {
      userId: 'person_id',
      backupCodes: 'backup_codes',
      failedVerificationCount: 'failed_count',
      lockedUntil: 'locked_until',
    },
  },
} as const;
