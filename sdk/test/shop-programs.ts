// The shops of examples/, and how each of them is started.

export type Command = readonly [program: string, ...parameters: string[]];

type ShopProgram = {
  readonly name: string;
  /** The table with what was delivered. */
  readonly deliveries: string;
  readonly prepare?: Command;
  readonly serve: (port: number) => Command;
  readonly checkOrders: Command;
};

/** Debian's, which has Django and the packages that the SDK needs. */
const PYTHON = '/usr/bin/python3';

export const SHOPS: readonly ShopProgram[] = [
  {
    name: 'php-shop',
    deliveries: 'deliveries',
    serve: (port) => ['php', '-S', `127.0.0.1:${port}`, 'public/index.php'],
    checkOrders: ['php', 'check-orders.php'],
  },
  {
    name: 'django-shop',
    deliveries: 'shop_delivery',
    prepare: [PYTHON, 'manage.py', 'migrate'],
    serve: (port) => [PYTHON, 'manage.py', 'runserver', '--noreload', `127.0.0.1:${port}`],
    checkOrders: [PYTHON, 'manage.py', 'check_orders'],
  },
  {
    name: 'express-shop',
    deliveries: 'deliveries',
    serve: () => [process.execPath, 'server.mjs'],
    checkOrders: [process.execPath, 'check-orders.mjs'],
  },
];
