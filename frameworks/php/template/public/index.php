<?php

declare(strict_types=1);

use Psr\Http\Message\ResponseInterface as Response;
use Psr\Http\Message\ServerRequestInterface as Request;
use Slim\Factory\AppFactory;

require __DIR__.'/../vendor/autoload.php';

// step 3: the framework's own way to answer a request
$app = AppFactory::create();
$app->addRoutingMiddleware();
$app->addErrorMiddleware(displayErrorDetails: false, logErrors: false, logErrorDetails: false);
$app->get('/hello_world', function (Request $request, Response $response): Response {
    $response->getBody()->write('Hello World');

    return $response->withHeader('Content-Type', 'text/plain; charset=utf-8');
});
$app->run();
