import { endpoints } from '../../../ask/server/api/endpoints.ts';
import { tools } from '../../../ask/server/mcp/tools.ts';
import { fields } from '../../../core/query/fields.ts';
import {
  notFoundPage,
  isBuiltFor,
  isOfComponent,
  isPage,
  pathFor,
  pathsOf,
  type PublishedPath,
} from '../paths.ts';
import { withValues, type ExampleValues } from '../examples.ts';
import { renderText, siteView } from '../html/templates.ts';
import { isStatic, type SiteContext } from '../site-context.ts';
import type { SiteInput } from '../site-input.ts';

/**
 * `llms.txt` (llmstxt.org): title, description, links to machine-readable files and to pages, and queries. Short, as a model
 * pays for every word.
 */
export function renderLlmsText(
  site: SiteContext,
  { sample, summaries }: SiteInput,
  values: ExampleValues,
): string {
  const shown = pathsOf(site).filter(({ path }) => !isForOthers(path));
  const statesPairs = summaries.some(({ definition }) => definition.worksWith !== undefined);

  const ofAll = shown.filter(
    ({ path, onlyIf }) =>
      !path.includes('{') &&
      (onlyIf === undefined || (path === 'compatibility.json' && statesPairs)),
  );

  const hasLatest = sample?.judgement.latest !== undefined;

  const link = ({ path, summary }: PublishedPath) => ({
    name: path,
    url: `${site.baseUrl}/${pathFor(path, sample?.name ?? '')}`,
    summary,
  });

  return renderText(site.theme, 'llms', {
    ...siteView(site),
    files: ofAll.filter((path) => !isPage(path)).map(link),
    pages: ofAll.filter(isPage).map(link),
    sample: sample?.name ?? '',
    ofComponent: shown
      .filter((path) => isOfComponent(path) && isBuiltFor(path, hasLatest))
      .map(link),
    fields: fields.map(({ name }) => name).join(' '),
    questions: endpoints
      .filter(({ path }) => !isStatic(site) && !isForOthers(path))
      .map(({ method, path, summary, example }) => {
        const address = withValues(example, values, encodeURIComponent);
        const name = method === 'GET' ? path : `${method} ${path}`;

        return address === undefined
          ? undefined
          : { name, url: `${site.baseUrl}${address}`, summary };
      })
      .filter((value) => value !== undefined),
    tools: tools.map(({ name }) => name).join(', '),
  });
}

/** Whether only operators, browsers, crawlers or clients of endoflife.date request the path. */
function isForOthers(path: string): boolean {
  const others = [notFoundPage, 'support.svg', 'robots.txt', 'sitemap.xml', 'llms.txt'];
  return (
    /^\/?(?:assets|endoflife|build-export|api\/builds)(?:\/|$)/.test(path) || others.includes(path)
  );
}
