import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SiteTheme } from '../render/site-context.ts';
import type { Root } from '../store/root.ts';

/** Templates and assets of the site. */
export function readTheme(root: Root): SiteTheme {
  const templates = filesOf(root.templatesDir)
    .filter((name) => name.endsWith('.hbs'))
    .map(
      (name) => [name.slice(0, -'.hbs'.length), readFileSync(join(root.templatesDir, name), 'utf8')] as const,
    );
  const assets = filesOf(root.assetsDir).map(
    (name) => [name, readFileSync(join(root.assetsDir, name))] as const,
  );
  return { templates: new Map(templates), assets: new Map(assets) };
}

/** Sorted, so that the site does not depend on the file system. */
function filesOf(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort();
}
