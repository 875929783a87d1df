<?php

declare(strict_types=1);

namespace Malipo\Tools;

use PhpParser\Node;
use PhpParser\Node\Expr;
use PhpParser\Node\Stmt;

/** The variables of one function: where one gets a value, and where it is read. */
final class Variables
{
    private const EVERYWHERE = ['this', 'GLOBALS', '_SERVER', '_GET', '_POST', '_ENV', 'argv'];

    /** @var array<string, Expr\Variable> */
    private array $read = [];
    /** @var array<string, true> */
    private array $set = [];

    /** @return array<string, Expr\Variable> Those that are read and never get a value. */
    public static function withoutValue(Node\FunctionLike $function): array
    {
        $variables = new self();
        foreach ($function->getParams() as $parameter) {
            $variables->lookAt($parameter);
        }
        foreach ($function instanceof Expr\Closure ? $function->uses : [] as $use) {
            $variables->set($use->var);
        }
        foreach ($function->getStmts() ?? [] as $statement) {
            $variables->lookAt($statement);
        }
        return array_diff_key($variables->read, $variables->set, array_flip(self::EVERYWHERE));
    }

    private function lookAt(Node $node): void
    {
        match (true) {
            $node instanceof Expr\Closure => array_map($this->lookAtUse(...), $node->uses),
            $node instanceof Stmt\ClassLike, $node instanceof Stmt\Function_ => null,
            $node instanceof Node\Param, $node instanceof Stmt\StaticVar => $this->set($node->var),
            $node instanceof Expr\Assign, $node instanceof Expr\AssignRef => $this->set($node->var),
            $node instanceof Expr\AssignOp\Coalesce => $this->set($node->var),
            $node instanceof Stmt\Catch_ && $node->var !== null => $this->set($node->var),
            $node instanceof Stmt\Global_ => array_map($this->set(...), $node->vars),
            $node instanceof Stmt\Foreach_ => array_map(
                $this->set(...),
                array_filter([$node->keyVar, $node->valueVar]),
            ),
            $node instanceof Expr\FuncCall => $this->lookAtReferences($node),
            $node instanceof Expr\Variable && is_string($node->name) => $this->read[$node->name] ??= $node,
            default => null,
        };
        $isOther = $node instanceof Stmt\ClassLike || $node instanceof Stmt\Function_ || $node instanceof Expr\Closure;
        foreach ($isOther || $node instanceof Expr\Isset_ ? [] : $node->getSubNodeNames() as $name) {
            foreach (is_array($node->$name) ? $node->$name : [$node->$name] as $part) {
                $part instanceof Node && $this->lookAt($part);
            }
        }
    }

    private function lookAtUse(Expr\ClosureUse $use): void
    {
        $use->byRef ? $this->set($use->var) : $this->lookAt($use->var);
    }

    /** `$a`, `$a[0]`, `[$a, $b]`. */
    private function set(Expr $target): void
    {
        if ($target instanceof Expr\Variable && is_string($target->name)) {
            $this->set[$target->name] = true;
        }
        if ($target instanceof Expr\ArrayDimFetch) {
            $this->set($target->var);
        }
        foreach ($target instanceof Expr\List_ || $target instanceof Expr\Array_ ? $target->items : [] as $item) {
            $item === null || $this->set($item->value);
        }
    }

    /** What a function of PHP writes into its argument. */
    private function lookAtReferences(Expr\FuncCall $call): void
    {
        $name = $call->name instanceof Node\Name ? (string) $call->name : '';
        $parameters = function_exists($name) ? (new \ReflectionFunction($name))->getParameters() : [];
        foreach ($parameters as $position => $parameter) {
            if ($parameter->isPassedByReference() && isset($call->args[$position])) {
                $this->set($call->args[$position]->value);
            }
        }
    }
}
