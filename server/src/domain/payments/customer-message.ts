// The short text that a customer may see in a receipt.

export const CUSTOMER_MESSAGE_LENGTH_MIN = 4;
export const CUSTOMER_MESSAGE_LENGTH_MAX = 22;

/** The default message: the company name, made to fit. */
export function defaultCustomerMessage(companyName: string): string {
  const plain = companyName
    .normalize('NFD')
    .replace(/[^a-zA-Z0-9 ]/g, '')
    .slice(0, CUSTOMER_MESSAGE_LENGTH_MAX)
    .trim();
  return plain.length < CUSTOMER_MESSAGE_LENGTH_MIN ? 'Payment' : plain;
}
