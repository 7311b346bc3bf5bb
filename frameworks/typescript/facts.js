// node facts.js ENV PACKAGE: prints the licence of the framework's package, the number of packages that are shipped
// with the app, and the version of Node.js that runs it.

const { readFileSync } = require('node:fs');

const [env, name] = process.argv.slice(2);
const { packages } = JSON.parse(
  readFileSync(`${env}/node_modules/.package-lock.json`, 'utf8'),
);
const facts = {
  licence: packages[`node_modules/${name}`].license ?? null,
  packages: Object.keys(packages).length,
  runtime: `Node.js ${process.versions.node}`,
};
console.log(JSON.stringify(facts));
