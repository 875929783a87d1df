<?php

declare(strict_types=1);

namespace Malipo\Tools;

use PhpParser\Node\Arg;
use PhpParser\Node\Expr\CallLike;

/** Whether the arguments of a call fit. How many an unpacked one stands for is not known. */
final class Arguments
{
    /** @return list<string> */
    public static function faults(CallLike $call, \ReflectionFunctionAbstract $function): array
    {
        $given = $call->isFirstClassCallable() ? [] : $call->getArgs();
        $unpacked = array_filter($given, static fn (Arg $one) => $one->unpack);
        if ($call->isFirstClassCallable() || $unpacked !== []) {
            return [];
        }
        $named = array_filter(array_map(static fn (Arg $one) => $one->name?->name, $given));
        $count = count($given) - count($named);
        $parameters = $function->getParameters();
        $names = array_map(static fn (\ReflectionParameter $one) => $one->name, $parameters);
        $faults = [];
        if (!$function->isVariadic() && $count > count($names)) {
            $faults[] = 'takes ' . count($names) . " arguments, not $count";
        }
        foreach ($function->isVariadic() ? [] : array_diff($named, $names) as $unknown) {
            $faults[] = "has no argument $unknown";
        }
        foreach (array_slice($parameters, $count) as $parameter) {
            if (!$parameter->isOptional() && !in_array($parameter->name, $named, true)) {
                $faults[] = "needs the argument $parameter->name";
            }
        }
        return $faults;
    }
}
