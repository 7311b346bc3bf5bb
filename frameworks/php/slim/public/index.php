<?php

declare(strict_types=1);

use App\Hello;
use App\IssueTracker;
use App\Parts;
use App\Workload;
use Restbench\Shared\DataSource;
use Slim\Factory\AppFactory;

require __DIR__.'/../vendor/autoload.php';

$app = AppFactory::create();
$app->addBodyParsingMiddleware();
$app->addRoutingMiddleware();
$app->addErrorMiddleware(displayErrorDetails: false, logErrors: false, logErrorDetails: false)
    ->getDefaultErrorHandler()
    ->forceContentType('application/json');

$app->get('/hello_world', Hello::class);
Parts::register($app);
IssueTracker::register($app, new DataSource());
Workload::register($app);

$app->run();
