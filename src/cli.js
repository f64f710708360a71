#!/usr/bin/env node
// Plain JavaScript, which old versions of Node read, too: they print a sentence instead of a syntax error.
import { existsSync } from 'node:fs';
import module from 'node:module';

/** The status of a verb that a signal ended. */
const stopped = 130;
const lowest = [22, 22, 2];
const parts = process.versions.node.split('.').map(Number);
const differing = lowest.findIndex((number, position) => number !== parts[position]);
if (parts[differing] < lowest[differing]) {
  process.stderr.write(
    `release-index needs Node ${lowest.join('.')} or later; this is ${process.version}. In a checkout, "npm ci" brings one: npx release-index <verb>\n`,
  );
  // 1 would mean that an entry of a list fails a policy.
  process.exitCode = process.argv.includes('scan') ? 3 : 1;
} else {
  // Of a question, most of the time goes into removing types: Node keeps what it compiled in the folder for temporary files.
  module.enableCompileCache();
  // Node says that its way to remove types, its SQLite and undici's way to unpack are new. Its other warnings are shown.
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning').on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') {
      listeners.forEach((listen) => listen(warning));
    }
  });
  // In a package, main.js is beside this file: Node strips no types below node_modules.
  const source = new URL('./cli/main.ts', import.meta.url);
  const { main } = await import(existsSync(source) ? source.href : './cli/main.js');
  process.exitCode = await main(process);
  if (process.exitCode === stopped) {
    // A thread that transforms a document works on for seconds.
    process.exit();
  }
}
