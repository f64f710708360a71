/** This program: its folder, its files and what its manifest states. */
import { readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';

const extension = extname(import.meta.filename);

/** Whether the program runs from its TypeScript sources. The package holds JavaScript: Node strips no types below node_modules. */
export const isCheckout = extension === '.ts';

/** The folder of this program: package.json, and `site/` with the templates. */
export const programFolder = resolve(import.meta.dirname, '../..');

/** The file of a module, to pass to other programs. `path`: from `src`, or `lib` in the package, without an extension. */
export function resolveModule(path: string): string {
  return join(import.meta.dirname, '..', `${path}${extension}`);
}

/** The runbook of this version, from the folder of an index. */
export const runbookFile = `${isCheckout ? '' : 'node_modules/release-index/'}.github/RUNBOOK.md`;

/** The name under which `init` copies the workflow of this program into an index. */
export const vendoredWorkflow = 'release-index-publish.yml';

/** A JSON document that ships with the program. `path`: from its folder. */
export function readProgramDocument<Document>(path: string): Document {
  return JSON.parse(readFileSync(join(programFolder, path), 'utf8')) as Document;
}

const manifest = readProgramDocument<{
  version: string;
  engines: { node: string };
  optionalDependencies?: Readonly<Record<string, string>>;
  devDependencies?: { wrangler: string };
  peerDependencies?: { wrangler: string };
}>('package.json');

export const programVersion = manifest.version;

/** The range of Node that the program runs on. */
export const neededNode = manifest.engines.node;

/** The packages that bring Node itself, one for each platform; none in the packed program. */
export const nodePackages = manifest.optionalDependencies ?? {};

/** The wrangler version that the tests use; in the package, the range of it. Only an index at Cloudflare needs it, so it is a peer there. */
export const wranglerVersion = (manifest.peerDependencies ?? manifest.devDependencies)!.wrangler;
