<?php

declare(strict_types=1);

namespace Malipo\Resources;

use Malipo\FailureReason;
use Malipo\Prediction;
use Malipo\Sending\Call;
use Malipo\Sending\Problems;

/** Configuration, availability, and the provider of a phone number. */
final class Toolkit extends Readings
{
    /**
     * What your account may do: countries, providers, currencies, limits.
     *
     * @return array<string, mixed>
     */
    public function activeConfiguration(?string $country = null, ?string $operationType = null): array
    {
        return $this->read('/v2/active-conf', ['country' => $country, 'operationType' => $operationType]);
    }

    /**
     * Which providers work right now.
     *
     * @return list<array<string, mixed>>
     */
    public function availability(?string $country = null, ?string $operationType = null): array
    {
        return $this->read('/v2/availability', ['country' => $country, 'operationType' => $operationType]);
    }

    /** Tidies a phone number and says which provider it most probably belongs to. */
    public function predictProvider(string $phoneNumber): Prediction
    {
        $answer = $this->ask(new Call('POST', '/v2/predict-provider', ['phoneNumber' => $phoneNumber]));
        $reason = FailureReason::read($answer->body);
        if ($answer->status === 400 && $reason !== null) {
            return new Prediction(false, ['failureReason' => $reason]);
        }
        return $answer->status === 200 ? new Prediction(true, $answer->body) : throw Problems::refused($answer);
    }
}
