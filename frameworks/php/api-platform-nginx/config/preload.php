<?php

$preload = getenv('APP_BUILD_DIR').'/prod/App_KernelProdContainer.preload.php';
if (file_exists($preload)) {
    require $preload;
}
