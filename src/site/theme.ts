import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SiteTheme } from '../render/site-context.ts';
import type { Root } from '../store/root.ts';

/** Templates and assets of the site. */
export function readTheme({ templatesDir, assetsDir }: Root): SiteTheme {
  const templates = filesOf(templatesDir).filter((name) => name.endsWith('.hbs'));
  return {
    templates: new Map(
      templates.map((name) => [
        name.slice(0, -'.hbs'.length),
        readFileSync(join(templatesDir, name), 'utf8'),
      ]),
    ),
    assets: new Map(filesOf(assetsDir).map((name) => [name, readFileSync(join(assetsDir, name))])),
  };
}

/** Sorted, so that the site does not depend on the file system. */
function filesOf(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort();
}
