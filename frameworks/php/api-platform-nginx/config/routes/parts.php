<?php

use App\Controller\PartController;
use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;

// Thirty routes that come before those that are asked for.
return static function (RoutingConfigurator $routes): void {
    foreach (['get', 'post', 'put'] as $method) {
        for ($number = 0; $number < 10; ++$number) {
            $routes->add("route_{$method}_{$number}", "/route-{$method}-{$number}/{part}")
                ->controller(PartController::class)
                ->requirements(['part' => '\d{1,10}'])
                ->methods([strtoupper($method)]);
        }
    }
};
