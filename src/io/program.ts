import { readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';

const extension = extname(import.meta.filename);

/** Whether these are the sources, which Node runs as they are. The package holds them as JavaScript: below node_modules no types are stripped. */
export const isCheckout = extension === '.ts';

/** The folder of this program: package.json, and `site/` with the templates. */
export const programFolder = resolve(import.meta.dirname, '../..');

/** The file of one of our modules, for programs that are given its path; the path begins at the folder `src` and has no ending. */
export function moduleFile(path: string): string {
  return join(import.meta.dirname, '..', `${path}${extension}`);
}

interface Manifest {
  version: string;
  repository: { url: string };
  devDependencies?: Readonly<Record<string, string>>;
  peerDependencies?: Readonly<Record<string, string>>;
}

/** A JSON document that the program came with; the path begins at its folder. */
export function readData<Document>(path: string): Document {
  return JSON.parse(readFileSync(join(programFolder, path), 'utf8')) as Document;
}

function manifest(): Manifest {
  return readData('package.json');
}

export function programVersion(): string {
  return manifest().version;
}

/** Where this program is kept at GitHub: `owner/repository`. */
export function programRepository(): string {
  const { url } = manifest().repository;
  return /github\.com\/(.+?)(?:\.git)?$/.exec(url)![1]!;
}

/** A section of the runbook of this version, by its heading; the anchor is made as GitHub makes it. */
export function runbookUrl(heading: string): string {
  const anchor = heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
  return `https://github.com/${programRepository()}/blob/v${programVersion()}/.github/RUNBOOK.md#${anchor}`;
}

/** The version of wrangler that this program is tested with. Only publishing needs it. */
export function wantedWrangler(): string {
  const { devDependencies, peerDependencies } = manifest();
  return { ...devDependencies, ...peerDependencies }['wrangler']!;
}
