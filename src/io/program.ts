import { readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';

const extension = extname(import.meta.filename);

/** Whether the program runs from its TypeScript sources. The package holds JavaScript: Node strips no types below node_modules. */
export const isCheckout = extension === '.ts';

/** The folder of this program: package.json, and `site/` with the templates. */
export const programFolder = resolve(import.meta.dirname, '../..');

/** The file of a module, to pass to other programs. `path`: from `src`, without an extension. */
export function moduleFile(path: string): string {
  return join(import.meta.dirname, '..', `${path}${extension}`);
}

interface Manifest {
  version: string;
  engines: { node: string };
  devDependencies?: Readonly<Record<string, string>>;
  optionalDependencies?: Readonly<Record<string, string>>;
  peerDependencies?: Readonly<Record<string, string>>;
}

/** A JSON document that ships with the program. `path`: from its folder. */
export function readData<Document>(path: string): Document {
  return JSON.parse(readFileSync(join(programFolder, path), 'utf8')) as Document;
}

function manifest(): Manifest {
  return readData('package.json');
}

export function programVersion(): string {
  return manifest().version;
}

/** The range of Node that the program runs on. */
export function neededNode(): string {
  return manifest().engines.node;
}

/** The packages with Node that a checkout installs. */
export function nodePackages(): Readonly<Record<string, string>> {
  return manifest().optionalDependencies ?? {};
}

/** The runbook of this version, from the folder of an index. */
export const runbookFile = `${isCheckout ? '' : 'node_modules/release-index/'}.github/RUNBOOK.md`;

/** The wrangler version that the tests use. Only publishing needs it. */
export function wantedWrangler(): string {
  const { devDependencies, peerDependencies } = manifest();
  return { ...devDependencies, ...peerDependencies }['wrangler']!;
}

/** The workflow of this program as a file of an index. */
export const vendoredWorkflow = 'release-index-publish.yml';
