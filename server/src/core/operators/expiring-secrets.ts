// Secrets of operator accounts that expire. After its last day an operator refuses what needs the secret.
import type { CredentialForm } from '../../connectors/operator.ts';
import { OPERATORS } from '../../connectors/registry.ts';
import type { CredentialsKey, CredentialValues } from '../../store/operators/operator-credentials.ts';

/** Whether new values of an account leave those that end as they were: then they are no younger than before. */
export function keepsExpiring(
  key: CredentialsKey & { readonly values: CredentialValues },
  before: CredentialValues | null,
): boolean {
  return listExpiring(key).every(({ secret }) => before?.[secret] === key.values[secret]);
}

/** Those of an account that are set. */
export function listExpiring({
  connector,
  product,
  values,
}: Pick<CredentialsKey, 'connector' | 'product'> & { readonly values: CredentialValues }) {
  return expiringIn(OPERATORS[connector]?.credentials[product] ?? {}).filter(
    ({ secret }) => (values[secret] ?? '') !== '',
  );
}

function expiringIn(form: CredentialForm) {
  return Object.entries(form).flatMap(([secret, { lastsDays }]) =>
    lastsDays === undefined ? [] : [{ secret, lastsDays }],
  );
}

/** Connectors with such secrets. */
export const EXPIRING_CONNECTORS = Object.entries(OPERATORS).flatMap(([connector, { credentials }]) =>
  Object.values(credentials).some((form) => expiringIn(form).length > 0) ? [connector] : [],
);
