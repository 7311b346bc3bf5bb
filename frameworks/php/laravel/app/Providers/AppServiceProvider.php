<?php

declare(strict_types=1);

namespace App\Providers;

use Illuminate\Http\Resources\Json\JsonResource;
use Illuminate\Support\ServiceProvider;
use Restbench\Shared\DataSource;

final class AppServiceProvider extends ServiceProvider
{
    public function register(): void
    {
        $this->app->singleton(DataSource::class);
    }

    public function boot(): void
    {
        JsonResource::withoutWrapping();
    }
}
