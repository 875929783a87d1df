// The words of readers who know other gateways. Each list begins with our word; what follows leads to it.

export const SYNONYMS: readonly (readonly string[])[] = [
  ['callback', 'webhook', 'ipn', 'notification url'],
  ['api token', 'api key', 'secret key', 'access key', 'credentials', 'bearer'],
  [
    'idempotency',
    'idempotent',
    'duplicate payment',
    'double payment',
    'charged twice',
    'paid twice',
    'double charge',
  ],
  ['failure code', 'error code', 'error', 'decline code'],
  ['two-factor', '2fa', 'mfa', 'totp', 'authenticator', 'multi-factor'],
  ['single sign-on', 'sso', 'saml', 'oidc', 'openid connect', 'okta', 'keycloak'],
  ['rate limit', 'throttling', 'throttle', '429', 'too many requests', 'quota'],
  ['test number', 'test phone', 'test card', 'magic number', 'test data'],
  ['sandbox', 'test mode', 'test environment', 'staging', 'simulator'],
  ['going live', 'go live', 'launch', 'go to production'],
  ['deposit', 'collection', 'collect', 'charge', 'c2b', 'stk push', 'pay in', 'payin'],
  ['payout', 'disbursement', 'disburse', 'b2c', 'transfer', 'withdrawal', 'salary'],
  ['refund', 'reversal', 'chargeback', 'reverse'],
  ['split payment', 'marketplace', 'commission'],
  ['verify', 'verification', 'hmac', 'validate signature'],
  ['webhook signature', 'webhook security', 'callback security'],
  ['timeout', 'timed out', 'no response'],
  ['processing', 'pending', 'in progress'],
  ['in reconciliation', 'unknown status', 'stuck'],
  ['configuration', 'environment variable', 'env', 'settings', 'dotenv'],
  ['openapi', 'swagger', 'postman', 'api specification', 'schema'],
  ['containers', 'docker', 'podman', 'compose', 'image'],
  ['kubernetes', 'k8s', 'helm', 'kustomize'],
  ['node.js', 'nodejs', 'javascript', 'typescript', 'npm'],
  ['monitoring', 'metrics', 'grafana', 'alerting', 'observability'],
  ['m-pesa', 'mpesa', 'safaricom', 'daraja'],
  ['status', 'state', 'lifecycle'],
];

/** What people look for on a page whose text has other words. They count as much as its title. */
export const PAGE_WORDS: Readonly<Record<string, string>> = {
  'five-minutes': 'quick start quickstart getting started install hello world',
  tutorial: 'curl examples first request',
  'guides/callbacks': 'webhook URL signature verification verify HMAC not received missing lost endpoint',
  'guides/checkouts': 'payment link hosted checkout session QR code',
  'guides/deposits': 'collect money STK push PIN prompt request to pay',
  'guides/going-live': 'go live production checklist launch',
  'guides/payment-page': 'hosted page redirect',
  'guides/payouts': 'disbursement bulk salary withdrawal cancel payout',
  'guides/php': 'PHP Laravel Symfony Composer',
  'guides/python': 'Python Django Flask FastAPI pip',
  'guides/sandbox': 'test mode simulate failure',
  'guides/sdk': 'Node.js JavaScript TypeScript npm library client',
  'guides/split-payments': 'marketplace share commission',
  'guides/statements': 'report CSV export transactions accounting',
  'guides/woocommerce': 'WordPress shop plug-in',
  'internals/money': 'ledger double entry double-entry accounting postings',
  'operating/waiting': 'stuck waiting pending blocked hanging why does it not go on who can',
  'operating/administration':
    'fee fees pricing settlement top-up two-factor 2FA password reset create merchant',
  'operating/backup-and-restore': 'pgBackRest point in time disaster recovery',
  'operating/containers': 'Docker Podman Compose Kubernetes k8s Helm image',
  'operating/database': 'PgBouncer Patroni failover high availability replica',
  'operating/callbacks': 'delivery replay disabled endpoint queue',
  'operating/install': 'systemd nginx HAProxy TLS Debian Linux server',
  'operating/keys': 'key rotation rotate secrets',
  'operating/monitoring': 'Prometheus Grafana metrics alerts runbook',
  'operating/operators': 'IP whitelist allowlist credentials',
  'operating/performance': 'throughput transactions per second TPS latency speed',
  'operating/reconciliation': 'reconcile mismatch operator report',
  'operating/retention': 'GDPR privacy erase delete personal data',
  'operating/risk': 'transaction limits velocity fraud block list freeze',
  'operating/screening': 'KYC AML sanctions compliance',
  'operating/single-sign-on': 'SSO OIDC SAML Okta Keycloak login',
  'reference/api':
    'API key token authentication scopes permissions idempotency duplicate payment retry timeout rate limit ' +
    'error handling OpenAPI Swagger Postman collection',
  'reference/api-toolkit': 'wallet balance availability predict provider active configuration',
  'reference/configuration': 'environment variables settings',
  'reference/connectors': 'MTN M-Pesa Airtel Orange Wave countries currencies operators supported',
  'reference/failure-codes': 'error codes errors declined insufficient funds',
  'reference/sandbox-numbers': 'test numbers test phone numbers MSISDN',
  'reference/states': 'pending status lifecycle processing',
};

/** Too common to tell pages apart. */
export const SMALL_WORDS = new Set(
  'a an and are at by can do does for from how i in is it my not of on or the to was what when where why with'.split(
    ' ',
  ),
);

/** Pages for people who use the gateway come before those about its inside; every other page counts 1. */
export const WEIGHTS: readonly (readonly [RegExp, number])[] = [
  [/^\/docs\/guides\/migrate$/, 0.7],
  [/^\/docs\/guides\//, 1.4],
  [/^\/docs\/operating\//, 0.9],
  [/^\/docs\/reference\/(routes|command-line|server-commands)$/, 0.5],
  [/^\/docs\/(contents|project\/)/, 0.25],
  [/^\/docs\/decisions\//, 0.1],
  [/^\/docs\/(internals|connectors)\//, 0.2],
];
