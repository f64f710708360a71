import { endpoints } from '../api/endpoints.ts';
import type { Component } from '../policy/component.ts';
import { fields } from '../query/fields.ts';
import { sentence } from '../text.ts';
import { isOfComponent, isPage, pathFor, publishedPaths, type PublishedPath } from './paths.ts';
import type { SiteContext } from './site-context.ts';

/**
 * `llms.txt` (llmstxt.org): a title, what this is, links to what machines read and to the pages, and how to ask. `sample` is
 * the component to link to. Kept short: a model pays for every word.
 */
export function renderLlmsText(site: SiteContext, sample: Component | undefined): string {
  const shown = publishedPaths.filter(
    ({ path, onlyIf }) => !isOfBrowsers(path) && (onlyIf === undefined || isOfComponent({ path })),
  );
  const ofAll = shown.filter(({ path }) => !path.includes('{'));
  const ofComponent = shown.filter(
    (published) => isOfComponent(published) && (published.onlyIf === undefined || sample?.judgement.latest),
  );
  const link = (published: PublishedPath) => {
    const { path, summary } = published;
    return `- [${path}](${site.baseUrl}/${pathFor(path, sample?.name ?? '')}): ${inBrief(summary)}`;
  };
  return [
    `# ${site.config.title}`,
    '',
    `> ${site.config.description}`,
    '',
    'Static files: no key, the same answer for everyone, an hour of cache. Releases stand oldest first by version, not by day;',
    '`tags.latest` is the newest to use, `isDeprecated` says what to move off. What is not known is left out, never guessed.',
    '',
    '## All components',
    '',
    ...ofAll.filter((published) => !isPage(published)).map(link),
    '',
    'Beside them: changes/<year>.json, schema/<name>.json.',
    ...(sample
      ? [
          '',
          '## One component',
          '',
          `Links are those of ${sample.name}; index.json lists all names.`,
          '',
          ...ofComponent.map(link),
        ]
      : []),
    '',
    '## Queries',
    '',
    ...queryLanguage(site, sample?.name ?? 'name'),
    '',
    `Also over HTTP: ${asked.join(', ')}; see openapi.json. For agents: Model Context Protocol at ${site.baseUrl}/mcp.`,
    '',
    '## Optional',
    '',
    ...ofAll.filter(isPage).map(link),
    '',
  ].join('\n');
}

/** Five lines on the language, and three examples. */
function queryLanguage({ baseUrl }: SiteContext, component: string): string[] {
  const names = fields.map(({ name }) => name).join(' ');
  return [
    `search.json holds a release's fields at component, line and release; \`release-index search 'QUERY' --index ${baseUrl}\` selects:`,
    'Terms all hold; `or`, a leading `-` for not, parentheses. A bare word is in component, title or version.',
    '`field:text`, where `*` is any text and `:*` alone means known; `isLatest` alone means true.',
    '`field:>=value` or `field:[a to b]` for versions, days (`2026-01-31`, `today`, `-5d`), durations (`90d`).',
    `Fields: ${names}.`,
    '',
    `- \`isLatest component:${component}\`: what to use.`,
    '- `supportLeft:<90d isLatestOfLine`: what leaves support in 90 days.',
    '- `releaseTimestamp:>=-26w -isPrerelease`: what came out in half a year.',
  ];
}

/** What can be asked without the name of anything. */
const asked = endpoints.map(({ path }) => path).filter((path) => !path.includes('{'));

/** Its first clause. */
function inBrief(summary: string): string {
  return sentence(summary.split(/[:;,]/)[0]!);
}

/** What only browsers and crawlers ask for. */
function isOfBrowsers(path: string): boolean {
  return path.startsWith('assets/') || ['404.html', 'robots.txt', 'sitemap.xml', 'llms.txt'].includes(path);
}
