// The parts of a column mapping that a person chooses from, as the server has them.
export const COLUMNS = {
  OPERATOR: [
    'time',
    'amount',
    'amountIn',
    'amountOut',
    'direction',
    'status',
    'currency',
    'reference',
    'transactionId',
    'phoneNumber',
    'movement',
  ],
  BANK: ['time', 'amount', 'amountIn', 'amountOut', 'direction', 'reference'],
} as const;

export const WORD_COLUMNS = {
  OPERATOR: ['direction', 'status', 'movement'],
  BANK: ['direction'],
} as const;

export const MEANINGS = {
  direction: ['IN', 'OUT', 'SKIP'],
  status: ['COMPLETED', 'FAILED', 'SKIP'],
  movement: ['FLOAT_TOP_UP', 'FLOAT_WITHDRAWAL', 'OPERATOR_CHARGE', 'SKIP'],
} as const;

export const TIME_FORMS = ['YEAR_FIRST', 'DAY_FIRST', 'MONTH_FIRST', 'ISO'] as const;
export const DECIMAL_MARKS = ['POINT', 'COMMA'] as const;
