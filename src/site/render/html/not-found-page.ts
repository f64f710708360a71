import type { SiteContext } from '../site-context.ts';
import { pageOf } from './page-frame.ts';
import { renderTemplate } from './templates.ts';

/** `404.html`, which the host serves under any address that does not exist. */
export function renderNotFoundPage(site: SiteContext): string {
  return renderTemplate(site.theme, '404', {
    page: pageOf(site, {
      title: `Nothing here | ${site.config.title}`,
      heading: 'Nothing here',
      description: 'There is no page or file at this address.',
      path: '404.html',
    }),
  });
}
