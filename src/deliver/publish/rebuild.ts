import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import { buildSite } from '../../site/build-site.ts';
import { ownFiles } from '../../site/own-files.ts';
import { cacheFolder } from '../../io/files/cache.ts';
import type { Root } from '../../io/files/root.ts';
import { counted } from '../../core/text.ts';

export interface RebuildInput {
  root: Root;
  out: string;
  asOf: string;
  baseUrl: string;
}

/**
 * Builds the site a second time, elsewhere, and compares: digests show only that nothing changed since some build, and not
 * that these definitions and this data give it.
 */
export function compareWithRebuild({ root, out, asOf, baseUrl }: RebuildInput): Finding[] {
  const folder = mkdtempSync(join(cacheFolder(root), 'rebuild-'));
  const again = join(folder, 'dist');
  try {
    const built = buildSite({ root, out: again, day: asOf, baseUrl });
    if (!('components' in built)) return built.findings.filter(({ level }) => level === 'error');
    const different = differingFiles(out, again);
    if (different.length === 0) return [];
    const [first, ...others] = different as [string, ...string[]];
    const more = others.length === 0 ? '' : `, and neither are ${counted(others.length, 'other file')}`;
    return [
      problem(first, `is not what the definitions and data that are here give${more}. Build the site again`),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function differingFiles(out: string, again: string): string[] {
  const [before, after] = [ownFiles(out), ownFiles(again)];
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort();
}
