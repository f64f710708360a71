import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLine } from '../../core/command-prefix.ts';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import type { StatusFile } from '../../core/schemas/published/status-file.ts';
import { counted } from '../../core/text.ts';
import type { Root } from '../../io/files/root.ts';
import { baseUrlOf } from '../../site/base-url.ts';
import { buildSite, type BuildOptions } from '../../site/build-site.ts';
import { digestInputs } from '../../site/inputs.ts';
import { ownFiles } from '../../site/own-files.ts';
import { checkSite } from './built-site.ts';

/**
 * The problems of the built site of a root. One that was built before its definitions or data changed is compared with its
 * own list of digests only: while a person edits, it is out of date most of the time.
 */
export async function checkBuiltSite(root: Root, out: string): Promise<Finding[]> {
  const findings = await checkSite(out);
  const baseUrl = baseUrlOf(out);
  if (findings.length > 0 || baseUrl === undefined) return findings;
  const { asOf, inputs } = JSON.parse(readFileSync(join(out, 'status.json'), 'utf8')) as StatusFile;
  return inputs === digestInputs(root) ? compareWithFreshBuild({ root, out, day: asOf, baseUrl }) : [];
}

/**
 * Builds the site a second time, elsewhere, and compares: digests show only that nothing changed since some build, not that
 * these definitions and this data give it. Expects a site in which `checkSite` found nothing.
 */
export function compareWithFreshBuild({ out, ...options }: BuildOptions & { baseUrl: string }): Finding[] {
  const folder = mkdtempSync(join(tmpdir(), 'release-index-'));
  const fresh = join(folder, 'dist');
  try {
    const built = buildSite({ ...options, out: fresh });
    if (!('components' in built)) return built.findings.filter(({ level }) => level === 'error');
    const [first, ...others] = differingFiles(out, fresh);
    if (first === undefined) return [];
    const more = others.length === 0 ? '' : `, as do ${counted(others.length, 'other file')}`;
    return [problem(first, `differs from a fresh build${more}. Run: ${commandLine('build')}`)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function differingFiles(out: string, fresh: string): string[] {
  const [here, there] = [ownFiles(out), ownFiles(fresh)];
  const paths = new Set([...here.keys(), ...there.keys()]);
  return [...paths].filter((path) => here.get(path) !== there.get(path)).sort();
}
