// The orders. PENDING: the outcome of the deposit is not known. PAID: delivered. FAILED: the deposit was rejected
// or has failed. REFUNDING: a refund was started. REFUNDED: the customer has the money back.
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

const database = new DatabaseSync(process.env.SHOP_DATABASE ?? 'shop.sqlite3', { timeout: 10_000 });
database.exec(`
  create table if not exists orders (
    id text primary key,
    depositId text not null unique,
    refundId text unique,
    amount text not null,
    currency text not null,
    provider text not null,
    phoneNumber text not null,
    status text not null default 'PENDING',
    failureCode text
  );
  create table if not exists deliveries (orderId text not null)`);

const run = (sql, ...values) => database.prepare(sql).run(...values).changes;
const one = (sql, ...values) => database.prepare(sql).get(...values);

/** The order with the identifier of its deposit is stored before the gateway hears of it. */
export function createOrder({ amount, currency, provider, phoneNumber }) {
  const id = randomUUID();
  const sql = `insert into orders (id, depositId, amount, currency, provider, phoneNumber) values (?, ?, ?, ?, ?, ?)`;
  run(sql, id, randomUUID(), amount, currency, provider, phoneNumber);
  return findOrder(id);
}

export const findOrder = (id) => one('select * from orders where id = ?', id);
export const findByDeposit = (depositId) => one('select * from orders where depositId = ?', depositId);
export const findByRefund = (refundId) => one('select * from orders where refundId = ?', refundId);
export const countDeliveries = (id) => one('select count(*) as n from deliveries where orderId = ?', id).n;
export const listOpen = () =>
  database.prepare(`select * from orders where status in ('PENDING', 'REFUNDING')`).all();

/**
 * Marks it as paid and delivers, once: both in one transaction. A deposit that was sent twice at the same moment can be
 * rejected once and accepted once, so a FAILED order can be paid too.
 */
export function markPaid(id) {
  const sql = `update orders set status = 'PAID', failureCode = null where id = ? and status in ('PENDING', 'FAILED')`;
  database.exec('begin immediate');
  try {
    if (run(sql, id) === 1) run('insert into deliveries values (?)', id);
    database.exec('commit');
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}

export function markFailed(id, failureCode) {
  run(
    `update orders set status = 'FAILED', failureCode = ? where id = ? and status = 'PENDING'`,
    failureCode,
    id,
  );
}

/** Whether this call starts the refund. Its identifier is stored before the gateway hears of it. */
export function startRefund(id) {
  const sql = `update orders set status = 'REFUNDING', refundId = ? where id = ? and status = 'PAID'`;
  return run(sql, randomUUID(), id) === 1;
}

/** After a failed refund the order is paid as before, and another refund may be started. */
export function endRefund(id, isPaidBack) {
  change(id, 'REFUNDING', isPaidBack ? 'REFUNDED' : 'PAID');
}

/** Whether this call changed it: a second one with the same statuses does not. */
function change(id, from, to) {
  return run('update orders set status = ? where id = ? and status = ?', to, id, from) === 1;
}
