#!/usr/bin/env node
// This file is plain JavaScript, so that old versions of Node print a sentence about the version instead of a syntax error.
import { existsSync } from 'node:fs';
import module from 'node:module';

/** The exit status of a command that a signal ended. */
const stopped = 130;
const lowest = [22, 22, 2];
const parts = process.versions.node.split('.').map(Number);
const differing = lowest.findIndex((number, position) => number !== parts[position]);
// The npm package contains a compiled main.js, because Node doesn't strip types below node_modules.
const source = new URL('./cli/main.ts', import.meta.url);
const isCheckout = existsSync(source);

/**
 * Ends with a sentence. For `scan`, the exit status 1 would look as if an entry failed a policy. So `scan` exits with status 3.
 * @param {string} sentence
 */
function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = process.argv.includes('scan') ? 3 : 1;
}

async function run() {
  const { main } = await import(isCheckout ? source.href : './cli/main.js');
  process.exitCode = await main(process);
  if (process.exitCode === stopped) {
    // Ends the process now, because a thread that transforms a document may go on for seconds.
    process.exit();
  }
}

if (parts[differing] < lowest[differing]) {
  // npm 10 installs Node, but only "npm rebuild" lets "npx" find it.
  const isBrought = isCheckout || existsSync(new URL('../../release-index-node', import.meta.url));
  const advice = isBrought
    ? 'To install one here, run: npm ci && npm rebuild. Then: npx release-index <verb>'
    : 'Install a newer one, such as the image node:24';
  refuse(
    `release-index needs Node ${lowest.join('.')} or later; this is ${process.version}. ${advice}`,
  );
} else {
  // Most of the time of a short command goes into removing types. So Node keeps compiled code in the temporary folder.
  module.enableCompileCache();
  // Hides Node's warnings that type stripping, SQLite and decompression are experimental. Other warnings are shown.
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning').on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') {
      listeners.forEach((listen) => listen(warning));
    }
  });
  try {
    await run();
  } catch (error) {
    if (!isCheckout || !error.message.startsWith('Cannot find package ')) {
      throw error;
    }
    refuse('The packages of this checkout are not installed. Run: npm ci');
  }
}
