import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Esbuild from 'esbuild';
import { isCheckout, moduleFile } from '../io/program.ts';

const file = moduleFile('site/page/start-page');
let made: Uint8Array | undefined;

/**
 * Names of properties that no document and no browser knows, so that the pages may have shorter ones. They save six hundred
 * bytes of twenty thousand.
 */
export const ownNames = [
  ...[
    'asks',
    'edits',
    'expected',
    'isAt',
    'isOutside',
    'isQuoted',
    'least',
    'leastPieces',
    'literal',
    'most',
  ],
  ...[
    'near',
    'own',
    'pairKey',
    'pieces',
    'position',
    'positionOf',
    'readText',
    'refuse',
    'shared',
    'take',
    'token',
  ],
  ...['between', 'goal', 'groups', 'latestOfReplacement', 'listed', 'moveTo', 'ofLine', 'suffix', 'target'],
  ...['isQuery', 'named', 'row', 'sortKey', 'words'],
];

/** `assets/site.js`: the script of the pages in one file, made once in a process. The package holds it made. */
export function pageScript(): Uint8Array {
  made ??= isCheckout ? bundle(file) : readFileSync(file);
  return made;
}

function bundle(entry: string): Uint8Array {
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof Esbuild;
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    mangleProps: new RegExp(`^(?:${ownNames.join('|')})$`),
    charset: 'utf8',
    format: 'iife',
    target: 'es2024',
    // What the type checker reads has no say in what is published.
    tsconfigRaw: {},
    write: false,
  });
  return outputFiles[0]!.contents;
}
