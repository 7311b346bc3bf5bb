<?php

// A process of FPM runs it, so it says what all of them run with.
$status = function_exists('opcache_get_status') ? opcache_get_status(false) : false;
$on = fn (mixed $value): string => filter_var($value, FILTER_VALIDATE_BOOL) ? 'on' : 'off';
echo json_encode([
    'opcache' => $on($status && $status['opcache_enabled']),
    'JIT' => $on($status['jit']['on'] ?? false),
    'preload' => $on($status['preload_statistics'] ?? false ? true : false),
    'looks for changed files' => $on(ini_get('opcache.validate_timestamps')),
    'assertions' => $on(ini_get('zend.assertions') === '1'),
    'xdebug' => $on(extension_loaded('xdebug')),
    'display_errors' => $on(ini_get('display_errors')),
    'APP_ENV' => getenv('APP_ENV') ?: 'not set',
    'APP_DEBUG' => $on(getenv('APP_DEBUG')),
    'children' => (string) fpm_get_status()['total-processes'],
]);
