<?php

declare(strict_types=1);

use App\Hello;
use App\IssueTracker;
use App\Parts;
use App\Workload;
use Slim\Factory\AppFactory;

require __DIR__.'/../vendor/autoload.php';

$app = AppFactory::create();
$app->getRouteCollector()->setCacheFile(__DIR__.'/../var/routes.php');
$app->addBodyParsingMiddleware();
$app->addRoutingMiddleware();
$app->addErrorMiddleware(displayErrorDetails: false, logErrors: false, logErrorDetails: false)
    ->getDefaultErrorHandler()
    ->forceContentType('application/json');

$app->get('/hello_world', Hello::class);
Parts::register($app);
IssueTracker::register($app);
Workload::register($app);

$app->run();
