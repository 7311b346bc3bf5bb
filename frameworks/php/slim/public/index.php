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

// Thirty routes come before those that are asked for.
for ($number = 0; $number < 10; ++$number) {
    foreach (['get', 'post', 'put'] as $method) {
        $app->$method("/route-$method-$number/{part:[0-9]{1,10}}", Parts::class);
    }
}

$app->get('/api/v1/userinfo/raw/{id:[0-9]{1,10}}', [IssueTracker::class, 'userinfo']);
$app->get('/api/v1/sprint/raw/{id:[0-9]{1,10}}', [IssueTracker::class, 'sprint']);
$app->post('/api/v1/board/raw/{id:[0-9]{1,10}}/task', [IssueTracker::class, 'createTask']);
$app->put('/api/v1/board/raw/{id:[0-9]{1,10}}/task', [IssueTracker::class, 'updateTask']);

$app->post('/test/simple/raw', [Workload::class, 'simple']);
$app->post('/test/timed/raw', [Workload::class, 'timed']);
$app->post('/test/bcrypt', [Workload::class, 'bcrypt']);
$app->get('/test/status', [Workload::class, 'status']);
$app->get('/test/labels/{label}', [Workload::class, 'label']);
$app->post('/test', [Workload::class, 'queue']);

$app->run();
