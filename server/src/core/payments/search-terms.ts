// What a payment can be found by. The same words are used to write the entries and to look for them.
import { isErased, type Payment } from '../../domain/payments/payment.ts';
import type { SearchEntry } from '../../store/payments/payment-search.ts';

/** Metadata that a merchant marked as personal is a field of its own: finding a payment by it needs a right. */
export type SearchField = 'phoneNumber' | 'clientReferenceId' | 'metadata' | 'personalMetadata';

/** Where a value of the metadata is looked for: what is marked as personal only with the right to see it. */
export function metadataFields(mayReveal: boolean): readonly SearchField[] {
  return mayReveal ? ['metadata', 'personalMetadata'] : ['metadata'];
}

/** The text that is hashed: the field keeps a phone number from matching a metadata value. */
export function searchValue(field: SearchField, value: string): string {
  return `${field}:${value}`;
}

export function searchValuesOf(payment: Payment): readonly SearchEntry[] {
  if (isErased(payment.details)) return [];
  const { phoneNumber, clientReferenceId, metadata = [] } = payment.details;
  const values = [
    searchValue('phoneNumber', phoneNumber),
    ...(clientReferenceId === undefined ? [] : [searchValue('clientReferenceId', clientReferenceId)]),
    ...metadata.map(({ isPii, value }) => searchValue(isPii ? 'personalMetadata' : 'metadata', value)),
  ];
  return [...new Set(values)].map((value) => ({ payment, value }));
}
