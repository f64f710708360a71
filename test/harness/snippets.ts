import { openRoot } from '../../src/io/files/root.ts';
import type { PresetComponent } from '../../src/site/render/renovate/preset.ts';
import type { SiteContext } from '../../src/site/render/site-context.ts';
import { renderComponentSnippets, type Snippet } from '../../src/site/render/renovate/snippets.ts';
import { readTheme } from '../../src/site/theme.ts';
import { checkout, fixtureIndex } from './checkout.ts';

export const fixtureTheme = readTheme(openRoot(fixtureIndex, checkout));

/** All snippets on the page of a component. */
export function snippetsOf(site: SiteContext, component: PresetComponent): Snippet[] {
  return Object.values(renderComponentSnippets(site, component)).flat();
}
