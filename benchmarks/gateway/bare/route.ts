// A bare Fastify route before one statement, as a process: what Node and PostgreSQL answer on this machine when no
// product is between them. `select`: one prepared select for each request. `insert`: rows that arrive while others are
// being written are written together, in one statement and one commit.
import Fastify from 'fastify';
import { Pool } from 'pg';
import { LONE_INSERT, LONE_SELECT } from './life.ts';

type Waiting = {
  readonly id: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
};

const [kind, connectionString, port] = process.argv.slice(2);
const pool = new Pool({ connectionString: connectionString ?? '', max: 10 });
const app = Fastify();
app.get('/ready', async () => ({ status: 'READY' }));
if (kind === 'select')
  app.get<{ Params: { id: string } }>('/v2/deposits/:id', ({ params }) => read(params.id));
else app.post<{ Body: { depositId: string } }>('/v2/deposits', ({ body }) => accept(body.depositId));
await app.listen({ port: Number(port), host: '127.0.0.1' });

async function read(id: string): Promise<object> {
  const { rows } = await pool.query({ name: 'read', text: LONE_SELECT, values: [id] });
  const [row] = rows as Record<string, unknown>[];
  if (row === undefined) throw new Error(`there is no ${id}`);
  const { payment_id, state, amount_text, currency, country, created_at } = row;
  const data = { depositId: payment_id, status: state, amount: amount_text, currency, country };
  return { status: 'FOUND', data: { ...data, created: created_at } };
}

async function accept(id: string): Promise<object> {
  const created = new Date();
  await write(id);
  return { depositId: id, status: 'ACCEPTED', created };
}

let waiting: Waiting[] = [];
let isWriting = false;

function write(id: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  waiting.push({ id, resolve, reject });
  if (!isWriting) void writeAll();
  return promise;
}

async function writeAll(): Promise<void> {
  isWriting = true;
  while (waiting.length > 0) {
    const batch = waiting;
    waiting = [];
    const values = [batch.map(({ id }) => id)];
    await pool.query({ name: 'write', text: LONE_INSERT, values }).then(
      () => batch.forEach(({ resolve }) => resolve()),
      (error: unknown) => batch.forEach(({ reject }) => reject(error)),
    );
  }
  isWriting = false;
}
