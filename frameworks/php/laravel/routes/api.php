<?php

use App\Http\Controllers\HelloController;
use App\Http\Controllers\IssueTrackerRawController;
use App\Http\Controllers\IssueTrackerResourcesController;
use App\Http\Controllers\PartController;
use App\Http\Controllers\WorkloadRawController;
use App\Http\Controllers\WorkloadResourcesController;
use Illuminate\Support\Facades\Route;

Route::get('/hello_world', HelloController::class);

Route::pattern('part', '[0-9]{1,10}');
Route::pattern('id', '[0-9]{1,10}');

foreach (['get', 'post', 'put'] as $method) {
    for ($number = 0; $number < 10; $number++) {
        Route::$method("/route-{$method}-{$number}/{part}", PartController::class);
    }
}

Route::prefix('/api/v1')->group(function (): void {
    foreach (['raw' => IssueTrackerRawController::class, 'resources' => IssueTrackerResourcesController::class] as $variant => $controller) {
        Route::controller($controller)->group(function () use ($variant): void {
            Route::get("/userinfo/{$variant}/{id}", 'userinfo');
            Route::get("/sprint/{$variant}/{id}", 'sprint');
            Route::post("/board/{$variant}/{id}/task", 'createTask');
            Route::put("/board/{$variant}/{id}/task", 'updateTask');
        });
    }
});

Route::prefix('/test')->group(function (): void {
    Route::controller(WorkloadRawController::class)->group(function (): void {
        Route::post('/simple/raw', 'simple');
        Route::post('/timed/raw', 'timed');
        Route::post('/bcrypt', 'bcrypt');
        Route::get('/status', 'status');
        Route::get('/labels/{label}', 'label');
        Route::post('/', 'queue');
    });
    Route::controller(WorkloadResourcesController::class)->group(function (): void {
        Route::post('/simple/resources', 'simple');
        Route::post('/timed/resources', 'timed');
    });
});
