// node runtime-settings.js PID: prints what Node.js runs with, in the environment of an app that runs. The limit of the
// heap is asked of another process of the same Node.js with the same options.

const { execFileSync } = require('node:child_process');
const { readFileSync } = require('node:fs');

const [, ...words] = readFileSync(`/proc/${process.argv[2]}/cmdline`, 'utf8')
  .split('\0');
const options = words.slice(
  0,
  words.findIndex((word) => !word.startsWith('-')),
);
const quiet = options.filter((option) => !option.startsWith('--inspect'));
const heap = 'v8.getHeapStatistics().heap_size_limit';
const limit = execFileSync(process.execPath, [...quiet, '-p', heap]);
const all = [...options, process.env.NODE_OPTIONS ?? ''].join(' ').trim();
console.log(
  JSON.stringify({
    NODE_ENV: process.env.NODE_ENV || 'not set',
    heap: `${Math.round(Number(limit) / 2 ** 20)} MiB`,
    inspector: all.includes('--inspect') ? 'on' : 'off',
    options: (all || 'none').slice(0, 80),
  }),
);
