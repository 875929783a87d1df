// What requests that name their own amount and wallet have in common: deposits, payouts and remittances.
import { canonicalIdentifier } from '../../../domain/identifier.ts';
import { parseAmount, type Amount } from '../../../domain/money.ts';
import type { PaymentDetails } from '../../../domain/payments/payment.ts';
import { invalidFault, type Parsed } from '../../fault.ts';
import { findRepeatedName, parseMetadata, type MetadataRequest } from '../metadata.ts';
import type { Party } from '../party.ts';

/** A payment as a merchant asks for it. Without a customerMessage the company's name has to serve. */
export type PaymentRequest = {
  /** In lower case: the form under which identifiers are unique. */
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

/** Reads the parts of a body that fits its schema. */
export function readPaymentRequest(body: {
  readonly writtenId: string;
  readonly amount: string;
  readonly currency: string;
  readonly party: Party;
  readonly metadata: MetadataRequest | undefined;
  /** What the kind has besides. */
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
