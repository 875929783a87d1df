// The Retry-After header, for requests that were not processed and may be sent again.

/** An option of the schema of such an answer. */
export const retryAfter = {
  headers: {
    'Retry-After': {
      type: 'integer',
      minimum: 1,
      description: 'How many seconds to wait before the request is sent again.',
      examples: [1],
    },
  },
} as const;
