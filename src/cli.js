#!/usr/bin/env node
// Plain JavaScript that old versions of Node can read: they print a sentence instead of a syntax error.
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const here = (path) => new URL(path, import.meta.url);
// The published package has main.js instead.
const isCheckout = existsSync(here('main.ts'));
const { node: needed } = JSON.parse(readFileSync(here('../package.json'), 'utf8')).engines;
const [major, minor, patch] = needed.match(/\d+/g).map(Number);
const own = process.versions.node.split('.').map(Number);

if ((own[0] - major || own[1] - (minor ?? 0) || own[2] - (patch ?? 0)) < 0) {
  const advice = isCheckout
    ? 'In the checkout, "npm ci" installs it on Linux, Windows and macOS: run the verbs as npm scripts, for instance "npm run -s release-index -- --help".'
    : 'Install a newer one, from nodejs.org or by your package manager.';
  process.stderr.write(
    `release-index needs Node ${needed}, this is ${process.version}. ${advice}\n`,
  );
  process.exitCode = 1;
} else {
  // Node strips the types of a checkout on the first start only. The package has none.
  if (isCheckout) {
    module.enableCompileCache(fileURLToPath(here('../node_modules/.cache/release-index')));
  }
  const { main } = await import('./main.ts');
  process.exitCode = await main(process);
}
