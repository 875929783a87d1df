<?php

declare(strict_types=1);

namespace Shop;

use Malipo\Malipo;

/**
 * The orders. PENDING: the outcome of the deposit is not known. PAID: delivered. FAILED: the deposit was rejected
 * or has failed. REFUNDING: a refund was started. REFUNDED: the customer has the money back.
 */
final class Orders
{
    public function __construct(private readonly \PDO $database)
    {
        $database->setAttribute(\PDO::ATTR_DEFAULT_FETCH_MODE, \PDO::FETCH_ASSOC);
        $database->exec('PRAGMA busy_timeout = 10000');
        $database->exec(
            "CREATE TABLE IF NOT EXISTS orders (
                id TEXT PRIMARY KEY,
                deposit_id TEXT NOT NULL UNIQUE,
                refund_id TEXT UNIQUE,
                amount TEXT NOT NULL,
                currency TEXT NOT NULL,
                phone_number TEXT NOT NULL,
                provider TEXT NOT NULL,
                status TEXT NOT NULL DEFAULT 'PENDING',
                failure_code TEXT
            );
            CREATE TABLE IF NOT EXISTS deliveries (order_id TEXT NOT NULL, delivered_at TEXT NOT NULL)",
        );
    }

    /** The order with the identifier of its deposit is stored before the gateway hears of it. */
    public function create(string $amount, string $currency, string $phoneNumber, string $provider): array
    {
        $id = Malipo::newId();
        $this->run(
            'INSERT INTO orders (id, deposit_id, amount, currency, phone_number, provider) VALUES (?, ?, ?, ?, ?, ?)',
            [$id, Malipo::newId(), $amount, $currency, $phoneNumber, $provider],
        );
        return $this->find($id);
    }

    public function find(string $id): ?array
    {
        $order = $this->run('SELECT * FROM orders WHERE id = ?', [$id])->fetch() ?: null;
        $deliveries = $this->run('SELECT count(*) FROM deliveries WHERE order_id = ?', [$id])->fetchColumn();
        return $order === null ? null : $order + ['deliveries' => (int) $deliveries];
    }

    public function findByDeposit(string $depositId): ?array
    {
        return $this->run('SELECT * FROM orders WHERE deposit_id = ?', [$depositId])->fetch() ?: null;
    }

    public function findByRefund(string $refundId): ?array
    {
        return $this->run('SELECT * FROM orders WHERE refund_id = ?', [$refundId])->fetch() ?: null;
    }

    /** @return list<array<string, string>> */
    public function listOpen(): array
    {
        return $this->run("SELECT * FROM orders WHERE status IN ('PENDING', 'REFUNDING')")->fetchAll();
    }

    /**
     * Marks it as paid and delivers, once. A deposit that was sent twice at the same moment can be rejected once and
     * accepted once, so a FAILED order can be paid too.
     */
    public function markPaid(string $id): void
    {
        $sql = "UPDATE orders SET status = 'PAID', failure_code = NULL
            WHERE id = ? AND status IN ('PENDING', 'FAILED')";
        $this->database->beginTransaction();
        if ($this->run($sql, [$id])->rowCount() === 1) {
            $this->run('INSERT INTO deliveries VALUES (?, ?)', [$id, gmdate('c')]);
        }
        $this->database->commit();
    }

    public function markFailed(string $id, string $failureCode): void
    {
        $sql = "UPDATE orders SET status = 'FAILED', failure_code = ? WHERE id = ? AND status = 'PENDING'";
        $this->run($sql, [$failureCode, $id]);
    }

    /** Whether this call starts the refund. Its identifier is stored before the gateway hears of it. */
    public function startRefund(string $id): bool
    {
        $sql = "UPDATE orders SET status = 'REFUNDING', refund_id = ? WHERE id = ? AND status = 'PAID'";
        return $this->run($sql, [Malipo::newId(), $id])->rowCount() === 1;
    }

    /** After a failed refund the order is paid as before, and another refund may be started. */
    public function endRefund(string $id, bool $isPaidBack): void
    {
        $sql = "UPDATE orders SET status = ? WHERE id = ? AND status = 'REFUNDING'";
        $this->run($sql, [$isPaidBack ? 'REFUNDED' : 'PAID', $id]);
    }

    /** @param list<mixed> $values */
    private function run(string $sql, array $values = []): \PDOStatement
    {
        $statement = $this->database->prepare($sql);
        $statement->execute($values);
        return $statement;
    }
}
