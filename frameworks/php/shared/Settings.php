<?php

declare(strict_types=1);

namespace Restbench\Shared;

/** What the environment says (docs/CONTRACT.md). */
final class Settings
{
    public static function number(string $name, float $default): float
    {
        $value = getenv($name);

        return false === $value ? $default : (float) $value;
    }

    public static function solrUrl(): string
    {
        return getenv('SOLR_URL') ?: 'http://localhost:8983/solr/performance';
    }
}
