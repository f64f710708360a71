import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { whyNoComponentName } from '../model/component-name.ts';
import type { Finding } from '../model/finding.ts';
import { isAbsent } from './entry.ts';

/** A folder with `components/` and `data/`, and perhaps `site/`. */
export interface Root {
  readonly dir: string;
  /** Where `site.json` is. */
  readonly siteDir: string;
  /** Where the templates of the pages are. */
  readonly templatesDir: string;
  /** Where the files are that are published unchanged. */
  readonly assetsDir: string;
}

/** A root may have its own `site/`, with or without templates and assets; whatever is missing comes from the checkout. */
export function openRoot(dir: string, checkout: string): Root {
  const shared = join(checkout, 'site');
  const own = join(dir, 'site');
  const siteDir = isAbsent(own) ? shared : own;
  const pick = (folder: string) => join(isAbsent(join(siteDir, folder)) ? shared : siteDir, folder);
  return { dir, siteDir, templatesDir: pick('templates'), assetsDir: pick('assets') };
}

/** Names of all defined components, alphabetical by code unit, and what is wrong with the others' file names. */
export function listComponents(root: Root): { names: string[]; findings: Finding[] } {
  const findings: Finding[] = [];
  const names: string[] = [];
  const folder = join(root.dir, 'components');
  if (isAbsent(folder)) {
    return { names, findings: [error('components', `no such folder in ${root.dir}. Is --root right?`)] };
  }
  for (const entry of readdirSync(folder)) {
    if (entry.startsWith('.')) continue;
    const file = `components/${entry}`;
    const name = entry.slice(0, -'.json'.length);
    if (!entry.endsWith('.json'))
      findings.push(error(file, 'expected a file <component>.json; remove or rename it'));
    else {
      const wrong = whyNoComponentName(name);
      if (wrong === undefined) names.push(name);
      else findings.push(error(file, wrong));
    }
  }
  return { names: names.sort(), findings };
}

export function definitionPath(root: Root, component: string): string {
  return join(root.dir, 'components', `${component}.json`);
}

export function recordedFolder(root: Root): string {
  return join(root.dir, 'data');
}

export function recordedPath(root: Root, component: string): string {
  return join(recordedFolder(root), `${component}.json`);
}

export function freshnessFolder(root: Root): string {
  return join(recordedFolder(root), 'freshness');
}

export function freshnessPath(root: Root, component: string): string {
  return join(freshnessFolder(root), `${component}.json`);
}

function error(file: string, message: string): Finding {
  return { level: 'error', subject: file, message, file };
}
