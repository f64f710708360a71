import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout } from '../harness/checkout.ts';
import { buildSite } from '../../src/site/build-site.ts';
import { openRoot } from '../../src/store/root.ts';
import type { SyntheticComponent } from './synthetic.ts';

export const asOf = '2026-11-20';

export interface BuiltFolder {
  /** Where the site is. */
  out: string;
  remove(): void;
}

/** The site of this checkout. */
export function buildCheckout(): BuiltFolder {
  const dir = mkdtempSync(join(tmpdir(), 'site-'));
  return build(checkout, dir);
}

/** The site of a root that has only these components. */
export function buildSynthetic(
  components: Readonly<Record<string, SyntheticComponent>>,
  day = asOf,
  baseUrl?: string,
): BuiltFolder {
  const dir = mkdtempSync(join(tmpdir(), 'site-'));
  for (const folder of ['components', 'data/freshness']) mkdirSync(join(dir, folder), { recursive: true });
  for (const [name, { definition, releases, freshness }] of Object.entries(components)) {
    writeJson(join(dir, `components/${name}.json`), definition);
    writeJson(join(dir, `data/${name}.json`), { releases });
    if (freshness) writeJson(join(dir, `data/freshness/${name}.json`), freshness);
  }
  return build(dir, dir, day, baseUrl);
}

function build(root: string, dir: string, day = asOf, baseUrl = 'https://releases.example.com'): BuiltFolder {
  const out = join(dir, 'dist');
  const built = buildSite({
    root: openRoot(root, checkout),
    out,
    day,
    baseUrl,
  });
  if (!('components' in built)) {
    throw new Error(built.findings.map(({ subject, message }) => `${subject}: ${message}`).join('\n'));
  }
  return { out, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`);
}
