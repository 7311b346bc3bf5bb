<?php

declare(strict_types=1);

// rows.php FOLDER: writes two files of PHP for each row of the fixtures, one for plain rows and one for typed rows. What
// the second returns are objects of the classes in ../Model, made of constants, so that no request parses a row.

namespace Restbench\Shared\Model;

require getenv('APP').'/vendor/autoload.php';

/** Returns code that makes a value of a type: of a class, int, string, or a list of these. */
function code(string $type, mixed $value, string $field): string
{
    return match (true) {
        get_debug_type($value) === $type => var_export($value, true),
        // PHP makes a date-time of a timestamp much faster than of a text.
        \DateTimeImmutable::class === $type && \is_string($value)
            && $time = \DateTimeImmutable::createFromFormat(\DATE_RFC3339, $value) => "\$epoch->setTimestamp({$time->getTimestamp()})",
        \is_array($value) && class_exists($type) => object($type, $value, $field),
        \is_array($value) && array_is_list($value) && str_starts_with($type, 'list<') => items(substr($type, 5, -1), $value, $field),
        default => throw new \UnexpectedValueException(ltrim("{$field}: ".json_encode($value)." is no {$type}", '.: ')),
    };
}

/** @param array<string, mixed> $row by the names of the constructor's parameters, in snake case */
function object(string $class, array $row, string $field): string
{
    $constructor = new \ReflectionMethod($class, '__construct');
    // Only the comment says what is in a list.
    preg_match_all('/@param (list<\w+>) +\$(\w+)/', (string) $constructor->getDocComment(), $lists);
    $lists = array_combine($lists[2], $lists[1]);
    $arguments = [];
    foreach ($constructor->getParameters() as $parameter) {
        $column = strtolower(preg_replace('/[A-Z]/', '_$0', $parameter->name));
        $value = $row[$column] ?? null;
        $type = $lists[$parameter->name] ?? $parameter->getType()->getName();
        $arguments[] = null === $value && $parameter->allowsNull() ? 'null' : code($type, $value, "{$field}.{$column}");
    }

    return "new \\{$class}(".implode(', ', $arguments).')';
}

/** @param list<mixed> $values */
function items(string $type, array $values, string $field): string
{
    $class = __NAMESPACE__."\\{$type}";
    $type = class_exists($class) ? $class : $type;
    $code = array_map(static fn ($index) => code($type, $values[$index], "{$field}[{$index}]"), array_keys($values));

    return '['.implode(', ', $code).']';
}

[, $folder] = $argv;
foreach (['users' => User::class, 'sprints' => Board::class, 'tasks' => BoardTask::class] as $kind => $class) {
    mkdir("{$folder}/plain/{$kind}", recursive: true);
    mkdir("{$folder}/typed/{$kind}", recursive: true);
    $fixture = (getenv('FIXTURES') ?: '/fixtures')."/issue-tracker/{$kind}.json";
    $place = "{$kind}.json";
    try {
        $content = @file_get_contents($fixture) ?: throw new \RuntimeException("{$fixture} cannot be read");
        foreach ((array) json_decode($content, true, flags: \JSON_THROW_ON_ERROR) as $index => $row) {
            $place = "{$kind}.json: row {$index}";
            $typed = code($class, $row, '');
            file_put_contents("{$folder}/plain/{$kind}/{$index}.php", '<?php return '.var_export($row, true).';');
            file_put_contents("{$folder}/typed/{$kind}/{$index}.php", "<?php \$epoch = new \\DateTimeImmutable('@0'); return {$typed};");
        }
    } catch (\Exception $error) {
        fwrite(\STDERR, "{$place}: {$error->getMessage()}\n");
        exit(1);
    }
}
