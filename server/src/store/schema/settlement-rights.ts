// What a role that only serves may do to the tables of settlement.
export const SETTLEMENT_RIGHTS = {
  bank_accounts: [
    'insert (bank_account_id, merchant_id, currency, encrypted_account, requested_at)',
    'update (status, usable_from)',
  ],
  settlements: [
    `insert (settlement_id, merchant_id, request_id, bank_account_id, country, currency, provider, amount,
       requested_by, requested_at)`,
    'update (status, decided_at)',
  ],
} as const;
