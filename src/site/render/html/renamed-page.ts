import type { Component } from '../../../decide/component.ts';
import type { SiteContext } from '../site-context.ts';
import { pageOf } from './page-frame.ts';
import { renderTemplate } from './templates.ts';

/** `<old name>.html` of a component that was renamed: where it is now. */
export function renderRenamedPage({ name, definition }: Component, old: string, site: SiteContext): string {
  return renderTemplate(site.theme, 'renamed', {
    page: pageOf(site, {
      title: `${old} is called ${name} now | ${site.config.title}`,
      heading: `${old} is called ${name} now`,
      description: `${definition.title} was renamed: its page is ${name}.html.`,
      // Its one address is that of the page it points to.
      path: `${name}.html`,
    }),
    name,
    old,
    title: definition.title,
  });
}
