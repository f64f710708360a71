// This program for what Eleventy makes in its measurement, and for nothing more: a page and a release file of each
// component, and both indexes, by the stages and templates of a build.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { join, resolve } from 'node:path';

const [dir, out, day] = process.argv.slice(2) as [string, string, string];
const checkout = resolve(import.meta.dirname, '../../..');
// As the command line does, before anything is loaded.
module.enableCompileCache(join(checkout, 'node_modules/.cache/release-index'));
const { loadComponent } = await import('../../../src/site/load-component.ts');
const { summarise } = await import('../../../src/decide/component.ts');
const { listChanges, publishedEvents } = await import('../../../src/decide/journal/published-events.ts');
const { renderIndexFile } = await import('../../../src/site/render/site-json.ts');
const { renderComponentPage } = await import('../../../src/site/render/html/component-page.ts');
const { renderIndexPage } = await import('../../../src/site/render/html/index-page.ts');
const { renderReleaseFile } = await import('../../../src/site/render/component-json.ts');
const { valueOf } = await import('../../../src/io/files/documents.ts');
const { readSiteConfig } = await import('../../../src/io/files/read.ts');
const { listComponents, openRoot } = await import('../../../src/io/files/root.ts');
const { readTheme } = await import('../../../src/site/theme.ts');

/** More changes than this no page shows. */
const shownChanges = 20;

const root = openRoot(dir, checkout);
const config = valueOf(readSiteConfig(root));
const site = { config, day, baseUrl: config.releasesUrl, theme: readTheme(root) };
const { names } = listComponents(root);

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const summaries = names.map((name) => {
  const { component, findings } = loadComponent(root, name, day);
  if (!component) throw new Error(`${name}: ${findings.map(({ message }) => message).join('; ')}`);
  const changes = listChanges(publishedEvents(component.journal)).slice(0, shownChanges);
  writeFileSync(join(out, `${name}.json`), renderReleaseFile(component));
  writeFileSync(join(out, `${name}.html`), renderComponentPage(component, changes, site));
  return summarise(component);
});
writeFileSync(join(out, 'index.json'), renderIndexFile(summaries));
writeFileSync(join(out, 'index.html'), renderIndexPage(site, summaries));
