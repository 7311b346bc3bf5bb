// node facts.js ENV PACKAGE: prints the licence and the date of the framework's package, the number of packages that are
// shipped with the app, and the version of Node.js that runs it. Its input is what `npm view PACKAGE time --json` prints.

const { readFileSync } = require('node:fs');

const [env, name] = process.argv.slice(2);
const { packages } = JSON.parse(
  readFileSync(`${env}/node_modules/.package-lock.json`, 'utf8'),
);
const { license, version } = packages[`node_modules/${name}`];
const times = JSON.parse(readFileSync(0, 'utf8') || '{}');
const facts = {
  licence: license ?? null,
  released: times[version]?.slice(0, 10) ?? null,
  packages: Object.keys(packages).length,
  runtime: `Node.js ${process.versions.node}`,
};
console.log(JSON.stringify(facts));
