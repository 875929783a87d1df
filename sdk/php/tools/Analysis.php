<?php

declare(strict_types=1);

namespace Malipo\Tools;

use PhpParser\Lexer\Emulative;
use PhpParser\Node;
use PhpParser\Node\Expr;
use PhpParser\Node\Stmt;
use PhpParser\NodeFinder;
use PhpParser\NodeTraverser;
use PhpParser\NodeVisitor\NameResolver;
use PhpParser\ParserFactory;

/**
 * The mistakes in one file, whose classes must be loaded. A type is a list of classes that a value can be of; null
 * where it can be anything: then nothing is said about it.
 */
final class Analysis
{
    /** @var list<string> */
    private array $faults = [];
    /** @var list<string> Those that the file has. A program is not loaded. */
    private array $functions = [];
    private ?string $class = null;
    /** @var array<string, ?list<string>> The types of the variables of a function. */
    private array $types = [];

    /** @return list<string> */
    public static function of(string $code): array
    {
        $parser = (new ParserFactory())->create(ParserFactory::ONLY_PHP7, new Emulative(['phpVersion' => '8.1']));
        $traverser = new NodeTraverser();
        $traverser->addVisitor(new NameResolver());
        $analysis = new self();
        $statements = $traverser->traverse($parser->parse($code) ?? []);
        foreach ((new NodeFinder())->findInstanceOf($statements, Stmt\Function_::class) as $function) {
            $analysis->functions[] = (string) $function->namespacedName;
        }
        foreach ($statements as $statement) {
            $analysis->typeOf($statement);
        }
        return [...$analysis->faults, ...Members::unusedImports($code)];
    }

    private function fault(Node $node, string $what): void
    {
        $this->faults[] = "{$node->getStartLine()}: $what";
    }

    /** Looks at everything in a node. @return ?list<string> */
    private function typeOf(Node $node): ?array
    {
        return match (true) {
            $node instanceof Stmt\ClassLike => $this->lookAtClass($node),
            $node instanceof Node\FunctionLike => $this->lookAtFunction($node),
            $node instanceof Node\Name\FullyQualified => $this->className($node),
            $node instanceof Expr\Variable => $this->types[is_string($node->name) ? $node->name : ''] ?? null,
            $node instanceof Expr\Assign => $this->assign($node),
            $node instanceof Stmt\Catch_ => $this->lookAtCatch($node),
            $node instanceof Expr\New_ => $this->typeOfNew($node),
            $node instanceof Expr\FuncCall => $this->typeOfFunction($node),
            $node instanceof Expr\MethodCall, $node instanceof Expr\NullsafeMethodCall => $this->typeOfMethod(
                $node,
                $this->typeOf($node->var),
            ),
            $node instanceof Expr\StaticCall => $this->typeOfMethod($node, $this->namedClass($node->class)),
            $node instanceof Expr\PropertyFetch, $node instanceof Expr\NullsafePropertyFetch => $this->typeOfProperty(
                $node,
            ),
            $node instanceof Expr\ClassConstFetch => $this->typeOfConstant($node),
            $node instanceof Expr\ConstFetch => $this->lookAtConstant($node),
            $node instanceof Expr\Ternary, $node instanceof Expr\BinaryOp\Coalesce => $this->typeOfChoice($node),
            $node instanceof Expr\Throw_ => $this->lookInside($node) ?? [],
            default => $this->lookInside($node),
        };
    }

    private function lookInside(Node $node): ?array
    {
        foreach ($node->getSubNodeNames() as $name) {
            foreach (is_array($node->$name) ? $node->$name : [$node->$name] as $part) {
                $part instanceof Node && $this->typeOf($part);
            }
        }
        return null;
    }

    private function lookAtClass(Stmt\ClassLike $node): ?array
    {
        [$outer, $this->class] = [$this->class, isset($node->namespacedName) ? (string) $node->namespacedName : null];
        if ($node instanceof Stmt\Class_ && $node->isReadonly()) {
            $this->fault($node, 'PHP 8.1 has no readonly classes');
        }
        $this->lookInside($node);
        $this->class = $outer;
        return null;
    }

    private function lookAtFunction(Node\FunctionLike $node): array
    {
        $outer = $this->types;
        if (!$node instanceof Expr\ArrowFunction) {
            $uses = $node instanceof Expr\Closure ? $node->uses : [];
            $kept = array_flip(array_map(static fn (Node\Expr\ClosureUse $use) => $use->var->name, $uses));
            $this->types = array_intersect_key($outer, $kept + ['this' => 0]);
            foreach (Variables::withoutValue($node) as $name => $variable) {
                $this->fault($variable, "\$$name has no value");
            }
        }
        if ($node instanceof Stmt\ClassMethod) {
            $this->types['this'] = $this->class === null ? null : [$this->class];
        }
        foreach ($node->getParams() as $parameter) {
            $this->requireKnownType($parameter->type);
            $this->types[$parameter->var->name] = $parameter->variadic ? null : $this->declared($parameter->type);
        }
        $this->requireKnownType($node->getReturnType());
        $this->lookInside($node);
        $this->types = $outer;
        return [\Closure::class];
    }

    /** @return ?list<string> */
    private function declared(?Node $type): ?array
    {
        return match (true) {
            $type instanceof Node\NullableType => $this->declared($type->type),
            $type instanceof Node\UnionType => Members::union(array_map($this->declared(...), $type->types)),
            $type instanceof Node\Name => $this->namedClass($type),
            $type instanceof Node\Identifier && $type->name === 'null' => [],
            default => null,
        };
    }

    private function requireKnownType(?Node $type): void
    {
        if ($type instanceof Node\Identifier && in_array($type->name, ['true', 'false', 'null'], true)) {
            $this->fault($type, "PHP 8.1 has no type $type->name alone");
        }
    }

    private function assign(Expr\Assign $node): ?array
    {
        $type = $this->typeOf($node->expr);
        if (!$node->var instanceof Expr\Variable || !is_string($node->var->name)) {
            $this->typeOf($node->var);
            return $type;
        }
        $name = $node->var->name;
        $before = array_key_exists($name, $this->types) ? [$this->types[$name]] : [];
        $this->types[$name] = Members::union([...$before, $type]);
        return $type;
    }

    private function lookAtCatch(Stmt\Catch_ $node): ?array
    {
        if ($node->var !== null) {
            $this->types[$node->var->name] = array_map(strval(...), $node->types);
        }
        return $this->lookInside($node);
    }

    /** @return ?list<string> */
    private function typeOfNew(Expr\New_ $node): ?array
    {
        $type = $node->class instanceof Node\Name ? $this->namedClass($node->class) : null;
        $this->lookInside($node);
        $create = $type === null ? null : Members::reflect($type[0])?->getConstructor();
        if ($create !== null && Members::methods($type, '__construct', $this->class) === []) {
            $this->fault($node, "$type[0] cannot be created here");
        }
        $create === null || $this->lookAtCall($node, $create);
        return $type;
    }

    /** @return ?list<string> */
    private function typeOfFunction(Expr\FuncCall $node): ?array
    {
        if (!$node->name instanceof Node\Name) {
            return $this->lookInside($node);
        }
        foreach ($node->args as $argument) {
            $this->typeOf($argument);
        }
        $inNamespace = (string) $node->name->getAttribute('namespacedName', $node->name);
        if (in_array($inNamespace, $this->functions, true) && !function_exists($inNamespace)) {
            return null;
        }
        $name = function_exists($inNamespace) ? $inNamespace : (string) $node->name;
        if (!function_exists($name)) {
            $this->fault($node, "there is no function $name");
            return null;
        }
        $function = new \ReflectionFunction($name);
        $this->lookAtCall($node, $function);
        return $node->isFirstClassCallable() ? [\Closure::class] : Members::typeOf($function->getReturnType(), '');
    }

    private function lookAtCall(Expr\CallLike $node, \ReflectionFunctionAbstract $function): void
    {
        $name = ($function instanceof \ReflectionMethod ? "$function->class::" : '') . "$function->name()";
        foreach (Arguments::faults($node, $function) as $what) {
            $this->fault($node, "$name $what");
        }
    }

    /** @param ?list<string> $type @return ?list<string> */
    private function typeOfMethod(Expr\CallLike $node, ?array $type): ?array
    {
        foreach ([...$node->getRawArgs(), ...($node instanceof Expr\StaticCall ? [$node->class] : [])] as $part) {
            $this->typeOf($part);
        }
        if (!$node->name instanceof Node\Identifier || $type === null || $type === []) {
            return $node->name instanceof Node\Identifier ? null : $this->typeOf($node->name);
        }
        $methods = Members::methods($type, $node->name->name, $this->class);
        if ($methods === []) {
            $this->fault($node, implode('|', $type) . " has no method {$node->name->name}() here");
        }
        foreach ($methods as $method) {
            $this->lookAtCall($node, $method);
        }
        $returned = static fn (\ReflectionMethod $one) => Members::typeOf($one->getReturnType(), $one->class);
        return $node->isFirstClassCallable() ? [\Closure::class] : Members::union(array_map($returned, $methods));
    }

    /** @return ?list<string> */
    private function typeOfProperty(Expr\PropertyFetch|Expr\NullsafePropertyFetch $node): ?array
    {
        $type = $this->typeOf($node->var);
        if (!$node->name instanceof Node\Identifier || $type === null || $type === []) {
            return $node->name instanceof Node\Identifier ? null : $this->typeOf($node->name);
        }
        $properties = Members::typesOfProperty($type, $node->name->name, $this->class);
        if ($properties === []) {
            $this->fault($node, implode('|', $type) . " has no property \${$node->name->name} here");
        }
        return Members::union($properties);
    }

    /** @return ?list<string> */
    private function typeOfConstant(Expr\ClassConstFetch $node): ?array
    {
        $value = $this->typeOf($node->class);
        $type = $node->class instanceof Node\Name ? $this->namedClass($node->class) : $value;
        $name = (string) $node->name;
        if ($type === null || $type === [] || $name === 'class') {
            return null;
        }
        if (Members::reflect($type[0])?->hasConstant($name) === false) {
            $this->fault($node, "$type[0] has no constant or case $name");
        }
        return enum_exists($type[0]) ? $type : null;
    }

    private function lookAtConstant(Expr\ConstFetch $node): ?array
    {
        $inNamespace = (string) $node->name->getAttribute('namespacedName', $node->name);
        if (!defined($inNamespace) && !defined((string) $node->name)) {
            $this->fault($node, "there is no constant $node->name");
        }
        return strtolower((string) $node->name) === 'null' ? [] : null;
    }

    /** @return ?list<string> */
    private function className(Node\Name $node): ?array
    {
        $name = (string) $node;
        if (!class_exists($name) && !interface_exists($name)) {
            $this->fault($node, "there is no class $name");
        }
        return null;
    }

    /** @return ?list<string> */
    private function namedClass(Node $node): ?array
    {
        if (!$node instanceof Node\Name) {
            return $this->typeOf($node);
        }
        $parent = $this->class === null ? false : get_parent_class($this->class);
        return match (strtolower((string) $node)) {
            'self', 'static' => $this->class === null ? null : [$this->class],
            'parent' => $parent === false ? null : [$parent],
            default => [(string) $node],
        };
    }

    /** @return ?list<string> */
    private function typeOfChoice(Expr\Ternary|Expr\BinaryOp\Coalesce $node): ?array
    {
        [$left, $right] = $node instanceof Expr\Ternary
            ? [$node->if ?? $node->cond, $node->else]
            : [$node->left, $node->right];
        $node instanceof Expr\Ternary && $this->typeOf($node->cond);
        return Members::union([$this->typeOf($left), $this->typeOf($right)]);
    }
}
