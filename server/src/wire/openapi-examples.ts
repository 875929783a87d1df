// Examples of whole bodies for the OpenAPI documents. Without them, viewers show every optional field at once, which
// contradicts itself: ACCEPTED with a reason for its rejection.

type Node = { readonly [key: string]: unknown };

/** Adds examples to requests and successful answers whose fields exclude each other. Changes nothing else. */
export function addExamples<Document extends object>(document: Document): Document {
  for (const operation of operationsOf(document)) {
    for (const media of mediaOf(operation['requestBody'])) Object.assign(media, examplesOfRequest(media));
    for (const [status, answer] of entriesOf(operation['responses'])) {
      if (!status.startsWith('2')) continue;
      for (const media of mediaOf(answer)) Object.assign(media, examplesOfAnswer(media));
    }
  }
  return document;
}

function operationsOf(document: object): readonly Node[] {
  // The console's API is for its own dashboard.
  const paths = entriesOf((document as Node)['paths']).filter(([path]) => !path.startsWith('/console/'));
  return paths.flatMap(([, path]) => entriesOf(path).map(([, operation]) => operation));
}

const mediaOf = (body: unknown) =>
  isNode(body)
    ? entriesOf(body['content']).flatMap(([type, media]) => (type === 'application/json' ? [media] : []))
    : [];

/** Fields that only some providers need. */
const AUTHORISATION_FIELDS = ['preAuthorisationCode', 'successfulUrl', 'failedUrl'];

function examplesOfRequest({ schema }: Node): Node {
  const fields = isNode(schema) ? entriesOf(schema['properties']).map(([name]) => name) : [];
  if (!fields.some((name) => AUTHORISATION_FIELDS.includes(name))) return {};
  return { example: exampleOf(schema, AUTHORISATION_FIELDS) };
}

function examplesOfAnswer({ schema }: Node): Node {
  if (!isNode(schema)) return {};
  // In bulk, one request can be accepted and the next one rejected.
  const { items } = schema;
  if (isNode(items) && isChoice(items)) return { example: [exampleOf(items), rejectedExample(items)] };
  if (isChoice(schema))
    return {
      examples: { accepted: { value: exampleOf(schema) }, rejected: { value: rejectedExample(schema) } },
    };
  if (statusesOf(schema).includes('NOT_FOUND'))
    return {
      examples: { found: { value: exampleOf(schema) }, notFound: { value: { status: 'NOT_FOUND' } } },
    };
  return containsStatus(schema) ? { example: exampleOf(schema) } : {};
}

/** Whether the answer says of a request that it was rejected, or that it was not. */
function isChoice(schema: Node): boolean {
  return statusesOf(schema).includes('REJECTED') && statusesOf(schema).length > 1;
}

function containsStatus(schema: unknown): boolean {
  if (!isNode(schema)) return false;
  if (statusesOf(schema).includes('COMPLETED')) return true;
  return (
    containsStatus(schema['items']) || entriesOf(schema['properties']).some(([, one]) => containsStatus(one))
  );
}

const REASONS = ['failureReason', 'rejectionReason'];
/** What a payment that completed has no more, or never had. */
const NOT_COMPLETED = [
  ...REASONS,
  ...AUTHORISATION_FIELDS,
  'authorizationUrl',
  'failedAt',
  'nextStep',
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

function exampleOf(schema: unknown, without: readonly string[] = []): unknown {
  if (!isNode(schema)) return null;
  const [given] = [...list(schema['examples']), ...list(schema['enum'])];
  if (given !== undefined) return given;
  if ('const' in schema) return schema['const'];
  const [choice] = [...list(schema['anyOf']), ...list(schema['oneOf'])];
  if (choice !== undefined) return exampleOf(choice);
  switch (schema['type']) {
    case 'object':
      return exampleOfObject(schema, without);
    case 'array':
      return [exampleOf(schema['items'])];
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 1;
    case 'boolean':
      return true;
    default:
      return 'text';
  }
}

function exampleOfObject(schema: Node, without: readonly string[]): object {
  const statuses = statusesOf(schema);
  const status = statuses.includes('COMPLETED') ? 'COMPLETED' : statuses[0];
  const left = [
    ...without,
    ...(status === 'COMPLETED' ? NOT_COMPLETED : REASONS),
    ...(propertyOf(schema, 'eventId') === undefined ? [] : OTHER_EVENTS),
  ];
  const fields = entriesOf(schema['properties']).filter(
    // A reason is left out only where there is a status that says so.
    ([name]) => !left.includes(name) || (status === undefined && !without.includes(name)),
  );
  return {
    ...Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field)])),
    ...(status !== undefined && { status }),
  };
}

function statusesOf(schema: Node): readonly unknown[] {
  const status = propertyOf(schema, 'status');
  return isNode(status) ? list(status['enum']) : [];
}

const propertyOf = (schema: Node, name: string): unknown =>
  isNode(schema['properties']) ? schema['properties'][name] : undefined;

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function entriesOf(value: unknown): readonly (readonly [string, Node])[] {
  return isNode(value)
    ? Object.entries(value).flatMap(([name, one]) => (isNode(one) ? [[name, one] as const] : []))
    : [];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
