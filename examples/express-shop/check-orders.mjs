// Asks the gateway for orders that have no outcome yet. Run it every minute: callbacks can be lost.
import { listOpen } from './orders.mjs';
import { check } from './payments.mjs';

for (const order of listOpen()) {
  await check(order).catch((error) => console.error(`${String(order.id)}: ${error.message}`));
}
