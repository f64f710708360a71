#!/usr/bin/env node
// Plain JavaScript that old versions of Node can read, so that they get a sentence instead of a syntax error.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const needed = 24;

if (Number.parseInt(process.versions.node, 10) < needed) {
  process.stderr.write(
    `release-index needs Node ${needed}, this is ${process.version}. In the checkout, "npm ci" installs it: run the verbs as npm ` +
      'scripts, for instance "npm run -s release-index -- --help".\n',
  );
  process.exitCode = 1;
} else {
  // Only the first start has to strip the types.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/release-index', import.meta.url)));
  const { main } = await import('./main.ts');
  process.exitCode = await main(process);
}
