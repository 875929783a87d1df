// Examples of whole bodies for the OpenAPI documents: of each request, each outcome of an answer, and each error.
// Without them, viewers show every optional field at once, which contradicts itself: ACCEPTED with a reason for its
// rejection.

type Node = { readonly [key: string]: unknown };

/** Adds an example, or one for each outcome, to every body. Changes nothing else. */
export function addExamples<Document extends object>(document: Document): Document {
  for (const operation of operationsOf(document)) {
    const [request] = mediaOf(operation.described['requestBody']);
    const sent = request === undefined ? null : exampleOfRequest(request['schema']);
    if (request !== undefined) Object.assign(request, { example: sent });
    for (const [status, answer] of entriesOf(operation.described['responses'])) {
      for (const media of mediaOf(answer)) {
        const { schema } = media;
        const isGood = status.startsWith('2');
        Object.assign(media, isGood ? examplesOfAnswer(schema) : exampleOfError(schema, sent, operation));
      }
    }
  }
  return document;
}

type Operation = { readonly path: string; readonly method: string; readonly described: Node };

function operationsOf(document: object): readonly Operation[] {
  // The console's API is for its own dashboard, and the sandbox's has a guide with every call.
  const paths = entriesOf((document as Node)['paths']).filter(
    ([path]) => !/^\/(console|sandbox)\//.test(path),
  );
  return paths.flatMap(([path, methods]) =>
    entriesOf(methods).map(([method, described]) => ({ path, method, described })),
  );
}

const mediaOf = (body: unknown) =>
  isNode(body)
    ? entriesOf(body['content']).flatMap(([type, media]) => (type === 'application/json' ? [media] : []))
    : [];

/** Fields that only some providers need. */
const AUTHORISATION_FIELDS = ['preAuthorisationCode', 'successfulUrl', 'failedUrl'];

function exampleOfRequest(schema: unknown): unknown {
  const example = exampleOf(schema, { without: AUTHORISATION_FIELDS });
  return Array.isArray(example) ? pairOf(example[0], example[0]) : example;
}

function examplesOfAnswer(schema: unknown): Node {
  if (!isNode(schema)) return {};
  const { items } = schema;
  // In bulk, one request can be accepted and the next one rejected.
  if (isNode(items) && statusesOf(items).includes('REJECTED'))
    return { example: pairOf(exampleOf(items), rejectedExample(items)) };
  if (statusesOf(schema).includes('REJECTED'))
    return named(
      statusesOf(schema).filter((status) => status !== 'FAILED'),
      (status) => (status === 'REJECTED' ? rejectedExample(schema) : exampleOf(schema, { status })),
    );
  if (statusesOf(schema).includes('NOT_FOUND')) {
    const record = propertyOf(schema, 'data');
    return named([...outcomesOf(record), 'NOT_FOUND'], (status) =>
      status === 'NOT_FOUND' ? { status } : { status: 'FOUND', data: exampleOf(record, { status }) },
    );
  }
  // API v1 answers a status check with a list.
  if (schema['maxItems'] === 1)
    return named([...outcomesOf(items), 'NOT_FOUND'], (status) =>
      status === 'NOT_FOUND' ? [] : [exampleOf(items, { status })],
    );
  return { example: exampleOf(schema) };
}

/** Identifier and scope are those of the request. */
function exampleOfError(schema: unknown, sent: unknown, operation: Operation): Node {
  const echoed = entriesOfValue(sent).filter(
    ([name]) => isNode(schema) && propertyOf(schema, name) !== undefined,
  );
  const without = echoed.map(([name]) => name);
  // What a request without a body can have wrong is an identifier or a country. Unknown parameters are ignored.
  const [, idName] = /\{(\w+Id)\}/.exec(operation.path) ?? [];
  const isByCountry = list(operation.described['parameters']).some(
    (one) => isNode(one) && one['name'] === 'country',
  );
  const isAlternative = sent === null && (idName !== undefined || isByCountry);
  const error = exampleOf(schema, { without, isAlternative });
  const text = JSON.stringify({ ...Object.fromEntries(echoed), ...(error as object) })
    .replace("'deposits:write'", `'${scopeOf(operation)}'`)
    .replace(MALFORMED, idName === undefined ? NO_COUNTRY : MALFORMED.replace('depositId', idName))
    .replace("'colour'", Array.isArray(sent) ? "'[0].colour'" : "'colour'");
  return { example: JSON.parse(text) as object };
}

const MALFORMED = "'depositId' is not valid: it must be a UUID v4";
const NO_COUNTRY = "'country' is not valid: there is no provider in a country with this code";

/** A test asks every route. */
function scopeOf({ path, method, described }: Operation): string {
  if (path.endsWith('/events')) return 'events:read';
  const group = String(list(described['tags'])[0]);
  const isRead = method === 'get' || ['toolkit', 'finances'].includes(group);
  return `${group}:${isRead ? 'read' : 'write'}`;
}

/** Two elements of a list, which are not the same payment. */
function pairOf(first: unknown, second: unknown): readonly unknown[] {
  const others = entriesOfValue(second).map(([name, value]) => [
    name,
    name.endsWith('Id') && typeof value === 'string' && UUID.test(value) ? next(value) : value,
  ]);
  return [first, Object.fromEntries(others)];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const next = (uuid: string) =>
  `${uuid.slice(0, -1)}${((Number.parseInt(uuid.slice(-1), 16) + 1) % 16).toString(16)}`;

function named(statuses: readonly string[], example: (status: string) => unknown): Node {
  return {
    examples: Object.fromEntries(statuses.map((status) => [nameOf(status), { value: example(status) }])),
  };
}

/** `DUPLICATE_IGNORED` is called `duplicateIgnored`. */
const nameOf = (status: string) =>
  status.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The outcomes of a record that are shown: API v1 says SUBMITTED. */
const OUTCOMES = ['COMPLETED', 'PROCESSING', 'SUBMITTED', 'FAILED'];

const outcomesOf = (record: unknown) =>
  isNode(record) ? OUTCOMES.filter((status) => statusesOf(record).includes(status)) : [];

const REASONS = ['failureReason', 'rejectionReason'];

/** What is told only with some statuses. */
const TOLD_WITH: Readonly<Record<string, readonly string[]>> = {
  failureReason: ['FAILED', 'REJECTED'],
  failedAt: ['FAILED'],
  nextStep: ['ACCEPTED'],
  providerTransactionId: ['COMPLETED'],
  depositedAmount: ['COMPLETED'],
  respondedByPayer: ['COMPLETED'],
  receivedByRecipient: ['COMPLETED'],
  completedAt: ['COMPLETED'],
  fileSize: ['COMPLETED'],
  downloadUrl: ['COMPLETED'],
  downloadUrlExpiresAt: ['COMPLETED'],
};

/** API v1 lists the identifiers of an operator as they are at the end. */
const isToldWith = (status: string, name: string) =>
  (TOLD_WITH[name] ?? (name.endsWith('Ids') ? ['COMPLETED'] : [status])).includes(status);

/** What only some payments have. */
const RARE = [
  ...AUTHORISATION_FIELDS,
  'authTokenInstructions',
  'authorizationUrl',
  'rejectionReason',
  'suspiciousActivityReport',
];

/** What an event about a deposit does not have. */
const OTHER_EVENTS = ['payout', 'refund', 'remittance', 'movement'];

/** Identifier, status and reason: nothing else is known of what was rejected. */
function rejectedExample(schema: Node): object {
  const all = entriesOf(schema['properties']).map(([name]) => name);
  const told = all.filter((name) => REASONS.includes(name) || list(schema['required']).includes(name));
  return {
    ...Object.fromEntries(told.map((name) => [name, exampleOf(propertyOf(schema, name))])),
    status: 'REJECTED',
  };
}

type Wanted = {
  /** The status of the object and of what is inside it, where they can have it. */
  readonly status?: string;
  readonly without?: readonly string[];
  /** Whether the second example of a text is taken, where there is one. */
  readonly isAlternative?: boolean;
};

function exampleOf(schema: unknown, wanted: Wanted = {}): unknown {
  if (!isNode(schema)) return null;
  const { status = 'COMPLETED', isAlternative = false } = wanted;
  if (list(schema['enum']).includes(status)) return status;
  const [first, second] = list(schema['examples']);
  const given = (isAlternative ? second : undefined) ?? first ?? list(schema['enum'])[0];
  if (given !== undefined) return given;
  if ('const' in schema) return schema['const'];
  const [choice] = [...list(schema['anyOf']), ...list(schema['oneOf'])];
  if (choice !== undefined) return exampleOf(choice, wanted);
  switch (schema['type']) {
    case 'object':
      return exampleOfObject(schema, wanted);
    case 'array':
      return [exampleOf(schema['items'], wanted)];
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 1;
    case 'boolean':
      return true;
    default:
      throw new Error(`There is no example for ${JSON.stringify(schema)}`);
  }
}

function exampleOfObject(schema: Node, { status, without = [], isAlternative = false }: Wanted): object {
  const [first] = statusesOf(schema);
  const own = statusesOf(schema).find((one) => one === (status ?? 'COMPLETED')) ?? first;
  const left = [
    ...without,
    ...(own === undefined ? [] : RARE),
    ...(propertyOf(schema, 'eventId') === undefined ? [] : OTHER_EVENTS),
  ];
  const fields = entriesOf(schema['properties']).filter(
    ([name]) => !left.includes(name) && (own === undefined || isToldWith(own, name)),
  );
  const inside = own === undefined ? status : own;
  return Object.fromEntries(
    fields.map(([name, field]) => [
      name,
      name === 'status' && own !== undefined
        ? own
        : exampleOf(field, { isAlternative, ...(inside !== undefined && { status: inside }) }),
    ]),
  );
}

function statusesOf(schema: Node): readonly string[] {
  const status = propertyOf(schema, 'status');
  return isNode(status) ? list(status['enum']).map(String) : [];
}

const propertyOf = (schema: Node, name: string): unknown =>
  isNode(schema['properties']) ? schema['properties'][name] : undefined;

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const entriesOfValue = (value: unknown) => (isNode(value) ? Object.entries(value) : []);

function entriesOf(value: unknown): readonly (readonly [string, Node])[] {
  return entriesOfValue(value).flatMap(([name, one]) => (isNode(one) ? [[name, one] as const] : []));
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
