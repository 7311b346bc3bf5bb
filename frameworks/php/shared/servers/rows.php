<?php

// Prints the rows of the data source as a file of constants.
$rows = [];
foreach (['user', 'sprint', 'task'] as $name) {
    $content = file_get_contents((getenv('FIXTURES') ?: '/fixtures')."/issue-tracker/$name.json");
    $rows[$name] = json_decode($content, true, flags: JSON_THROW_ON_ERROR);
}
echo '<?php return ', var_export($rows, true), ';';
