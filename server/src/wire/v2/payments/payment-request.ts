// What deposit, payout and remittance requests have in common: an amount and a wallet.
import { canonicalIdentifier } from '../../../domain/identifier.ts';
import { parseAmount, type Amount } from '../../../domain/money.ts';
import type { PaymentDetails } from '../../../domain/payments/payment.ts';
import { invalidFault, type Parsed } from '../../fault.ts';
import { findRepeatedName, parseMetadata, type MetadataRequest } from '../metadata.ts';
import type { Party } from '../party.ts';

/** A payment request. The default customerMessage is the company's name. */
export type PaymentRequest = {
  /** In lower case: the form in which identifiers are unique. */
  readonly paymentId: string;
  readonly writtenId: string;
  readonly amount: Amount;
  readonly amountText: string;
  readonly currency: string;
  readonly provider: string;
  readonly details: RequestDetails;
};

type RequestDetails = Omit<PaymentDetails, 'customerMessage' | 'authorizationUrl'> & {
  readonly customerMessage?: string;
};

/** Parses the common parts of a body that fits its schema. */
export function readPaymentRequest(body: {
  readonly writtenId: string;
  readonly amount: string;
  readonly currency: string;
  readonly party: Party;
  readonly metadata: MetadataRequest | undefined;
  /** The further fields of the kind. */
  readonly details: Omit<RequestDetails, 'phoneNumber' | 'metadata'>;
}): Parsed<PaymentRequest> {
  const { writtenId, amount: amountText, currency, metadata } = body;
  const amount = parseAmount(amountText);
  if (amount === null) return { type: 'FAULT', fault: invalidFault('amount', 'it is not an amount') };
  const fault = findRepeatedName(metadata);
  if (fault !== null) return { type: 'FAULT', fault };
  const { phoneNumber, provider } = body.party.accountDetails;
  const details = {
    phoneNumber,
    ...body.details,
    ...(metadata !== undefined && { metadata: parseMetadata(metadata) }),
  };
  const paymentId = canonicalIdentifier(writtenId);
  return {
    type: 'PARSED',
    request: { paymentId, writtenId, amount, amountText, currency, provider, details },
  };
}
