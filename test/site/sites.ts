import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkout } from '../harness/checkout.ts';
import { keepSite } from '../../src/site/keep.ts';
import type { BuildOptions, BuiltSite } from '../../src/site/options.ts';
import { buildSite } from '../../src/site/build-site.ts';
import { openRoot } from '../../src/store/root.ts';

/** A root of a test's own, with the files given, as JSON where they are no text. */
export function makeRoot(files: Readonly<Record<string, unknown>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'release-index-'));
  for (const [path, content] of Object.entries(files)) write(join(dir, path), content);
  return dir;
}

export function write(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : `${JSON.stringify(content, undefined, 2)}\n`);
}

/** As the command does it. Throws with all findings where something is broken. */
export function build(dir: string, options: Partial<BuildOptions> = {}): BuiltSite {
  const all = { root: openRoot(dir, checkout), out: join(dir, 'dist'), day: '2026-09-01', ...options };
  const built: Partial<BuiltSite> & Pick<BuiltSite, 'findings'> = keepSite(all) ?? buildSite(all);
  if (!isBuilt(built)) throw new Error(built.findings.map((finding) => finding.message).join('\n'));
  return built;
}

function isBuilt(built: Partial<BuiltSite>): built is BuiltSite {
  return built.components !== undefined;
}

/** What a build from nothing makes of the same input: content by path. */
export function buildAfresh(dir: string, options: Partial<BuildOptions> = {}): Map<string, string> {
  const out = mkdtempSync(join(tmpdir(), 'release-index-fresh-'));
  try {
    build(dir, { ...options, out });
    return contents(out);
  } finally {
    rmSync(out, { recursive: true });
  }
}

export function contents(out: string): Map<string, string> {
  const paths = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.sort().map((path) => [path.slice(out.length + 1), readFileSync(path, 'latin1')]));
}

/** Makes all files of a folder an hour old: an index is seldom built within seconds of the last change. */
export function age(folder: string): void {
  const then = new Date(Date.now() - 3_600_000);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), then, then);
  }
}
