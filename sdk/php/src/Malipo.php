<?php

declare(strict_types=1);

namespace Malipo;

use Malipo\Http\CurlTransport;
use Malipo\Http\Transport;
use Malipo\Journal\Journal;
use Malipo\Journal\JournalEntry;
use Malipo\Journal\MemoryJournal;
use Malipo\Records\Deposit;
use Malipo\Records\Payout;
use Malipo\Records\Refund;
use Malipo\Records\Remittance;
use Malipo\Resources\AnnouncedResource;
use Malipo\Resources\CancellableResource;
use Malipo\Resources\Checkouts;
use Malipo\Resources\Identifier;
use Malipo\Resources\Events;
use Malipo\Resources\ListedResource;
use Malipo\Resources\PaymentPages;
use Malipo\Resources\PublicKeys;
use Malipo\Resources\SplitPayments;
use Malipo\Resources\Statements;
use Malipo\Resources\Toolkit;
use Malipo\Resources\Wallets;
use Malipo\Sending\Connection;
use Malipo\Sending\Pace;
use Malipo\Sending\Parts;
use Malipo\Signing\RequestSigner;
use Psr\Log\LoggerInterface;

/** The client of one gateway and one account. */
final class Malipo
{
    /** @var AnnouncedResource<Deposit> */
    public readonly AnnouncedResource $deposits;
    /** @var ListedResource<Payout> */
    public readonly ListedResource $payouts;
    /** @var CancellableResource<Refund> */
    public readonly CancellableResource $refunds;
    /** @var ListedResource<Remittance> Payouts that say who sends the money, and why. */
    public readonly ListedResource $remittances;
    public readonly SplitPayments $splitPayments;
    public readonly Checkouts $checkouts;
    public readonly PaymentPages $paymentPages;
    public readonly Statements $statements;
    public readonly Events $events;
    public readonly Wallets $wallets;
    public readonly Toolkit $toolkit;
    public readonly PublicKeys $publicKeys;
    private readonly Journal $journal;

    /**
     * @param string $baseUrl The address of the gateway, without /v2.
     * @param string $token An API token. It belongs on a server.
     * @param ?Journal $journal Stores identifiers before sending. Default: in memory, until the PHP process ends.
     * @param ?RequestSigner $signing For accounts that require signed requests.
     * @param ?LoggerInterface $logger Any PSR-3 logger.
     * @param ?Transport $transport Default: PHP's curl extension.
     * @param int $timeoutMs The time-out of one request.
     * @param int $retryForMs How long to ask and send again after a problem. Web servers and PHP end a page after 30
     *   to 60 seconds; a program of the command line may give more.
     * @param ?Pace $pace Time and delays, for tests.
     */
    public function __construct(
        string $baseUrl,
        #[\SensitiveParameter] string $token,
        ?Journal $journal = null,
        ?RequestSigner $signing = null,
        ?LoggerInterface $logger = null,
        ?Transport $transport = null,
        int $timeoutMs = 10_000,
        int $retryForMs = 20_000,
        ?Pace $pace = null,
    ) {
        $this->journal = $journal ?? new MemoryJournal();
        $pace ??= new Pace();
        $transport ??= new CurlTransport();
        $connection = new Connection($baseUrl, $token, $transport, $pace, $timeoutMs, $signing, $logger);
        $parts = new Parts($connection, $this->journal, $pace, $retryForMs, $logger);
        $this->deposits = new AnnouncedResource($parts, Kind::Deposit);
        $this->payouts = new ListedResource($parts, Kind::Payout);
        $this->refunds = new CancellableResource($parts, Kind::Refund);
        $this->remittances = new ListedResource($parts, Kind::Remittance);
        $this->splitPayments = new SplitPayments($parts, Kind::SplitPayment);
        $this->checkouts = new Checkouts($parts, Kind::Checkout);
        $this->paymentPages = new PaymentPages($parts);
        $this->statements = new Statements($parts, Kind::Statement);
        $this->events = new Events($parts);
        $this->wallets = new Wallets($parts);
        $this->toolkit = new Toolkit($parts);
        $this->publicKeys = new PublicKeys($parts);
    }

    /** A new identifier. Store it with your order, then give it to create(): the same order is then paid once. */
    public static function newId(): string
    {
        return Identifier::create();
    }

    /**
     * Requests in the journal whose outcome is not known. Ask for each before you send another.
     *
     * @return list<JournalEntry>
     */
    public function unsettled(): array
    {
        return $this->journal->unsettled();
    }
}
