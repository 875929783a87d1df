<?php

declare(strict_types=1);

namespace Malipo\Tools;

/** What classes have. Where none of them has a member, those of subclasses count: a value may be of one. */
final class Members
{
    /** @return ?\ReflectionClass<object> */
    public static function reflect(string $class): ?\ReflectionClass
    {
        return class_exists($class) || interface_exists($class) ? new \ReflectionClass($class) : null;
    }

    /**
     * @param list<string> $types
     * @param ?string $from The class that uses it, which sees more than others do.
     * @return list<\ReflectionMethod>
     */
    public static function methods(array $types, string $name, ?string $from): array
    {
        return self::first($types, static function (\ReflectionClass $class) use ($name, $from): array {
            $method = $class->hasMethod($name) ? $class->getMethod($name) : null;
            return $method !== null && self::isVisible($method, $from) ? [$method] : [];
        });
    }

    /**
     * Those that only a comment declares, too.
     *
     * @param list<string> $types
     * @return list<?list<string>>
     */
    public static function typesOfProperty(array $types, string $name, ?string $from): array
    {
        return self::first($types, static function (\ReflectionClass $class) use ($name, $from): array {
            $property = $class->hasProperty($name) ? $class->getProperty($name) : null;
            if ($property !== null && self::isVisible($property, $from)) {
                return [self::typeOf($property->getType(), $property->class)];
            }
            $pattern = "/@property(?:-read)? \\??(\\S+) \\\${$name}\\b/";
            if (preg_match($pattern, self::commentsOf($class), $match) !== 1) {
                return [];
            }
            $type = "{$class->getNamespaceName()}\\$match[1]";
            return [self::reflect($type) === null ? null : [$type]];
        });
    }

    /**
     * @param list<?list<string>> $types
     * @return ?list<string>
     */
    public static function union(array $types): ?array
    {
        $isKnown = $types !== [] && !in_array(null, $types, true);
        return $isKnown ? array_values(array_unique(array_merge(...$types))) : null;
    }

    /** @return ?list<string> */
    public static function typeOf(?\ReflectionType $type, string $class): ?array
    {
        if ($type instanceof \ReflectionUnionType) {
            return self::union(array_map(static fn ($one) => self::typeOf($one, $class), $type->getTypes()));
        }
        if (!$type instanceof \ReflectionNamedType) {
            return null;
        }
        $name = $type->getName();
        return match (true) {
            in_array($name, ['self', 'static'], true) => [$class],
            in_array($name, ['never', 'null', 'void'], true) => [],
            default => $type->isBuiltin() ? null : [$name],
        };
    }

    private static function isVisible(\ReflectionMethod|\ReflectionProperty $member, ?string $from): bool
    {
        if ($member->isPublic() || $from === null) {
            return $member->isPublic();
        }
        $isRelated = is_a($from, $member->class, true) || is_a($member->class, $from, true);
        return $member->isPrivate() ? $from === $member->class : $isRelated;
    }

    /** @return list<string> Names in comments count as used. */
    public static function unusedImports(string $code): array
    {
        preg_match_all('/^use (?:[\w\\\\]+ as |[\w\\\\]*?)(\w+);$/m', $code, $imports);
        $rest = (string) preg_replace('/^use .*;$/m', '', $code);
        $unused = array_filter($imports[1], static fn (string $name) => preg_match("/\\b$name\\b/", $rest) !== 1);
        return array_map(static fn (string $name) => "1: the import $name is not used", array_values($unused));
    }

    /** @param \ReflectionClass<object> $class */
    private static function commentsOf(\ReflectionClass $class): string
    {
        $parent = $class->getParentClass();
        return $class->getDocComment() . ($parent === false ? '' : self::commentsOf($parent));
    }

    /**
     * @param list<string> $types
     * @return list<mixed>
     */
    private static function first(array $types, callable $find): array
    {
        $inAll = static fn (array $classes) =>
            array_merge(...array_map($find, array_filter(array_map(self::reflect(...), array_values($classes)))));
        $isBelow = static fn (string $class) =>
            array_intersect($types, class_parents($class) + class_implements($class)) !== [];
        return $inAll($types) ?: $inAll(array_filter(get_declared_classes(), $isBelow));
    }
}
