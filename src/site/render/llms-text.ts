import { endpoints } from '../../ask/api/endpoints.ts';
import { tools } from '../../ask/mcp/tools.ts';
import type { Component } from '../../decide/component.ts';
import { fields } from '../../core/query/fields.ts';
import { sentence } from '../../core/text.ts';
import {
  hiddenPages,
  isBuiltFor,
  isOfComponent,
  isPage,
  pathFor,
  type PublishedPath,
  publishedPaths,
} from './paths.ts';
import { withSample, type EndpointSample } from './endpoint-sample.ts';
import { isClosed } from './reader-commands.ts';
import type { SiteContext } from './site-context.ts';

/**
 * `llms.txt` (llmstxt.org): a title, what this is, links to what machines read and to the pages, and how to ask. `sample` is
 * the component to link to. Kept short: a model pays for every word.
 */
export function renderLlmsText(
  site: SiteContext,
  sample: Component | undefined,
  requests: EndpointSample | undefined,
): string {
  const shown = publishedPaths.filter(
    ({ path, onlyIf }) => !isOfOthers(path) && (onlyIf === undefined || isOfComponent({ path })),
  );
  const ofAll = shown.filter(({ path }) => !path.includes('{'));
  const ofComponent = shown.filter(
    (published) =>
      isOfComponent(published) && sample && isBuiltFor(published, sample.judgement.latest !== undefined),
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
    `Static files: ${isClosed(site) ? 'an access key as Authorization: Bearer' : 'no key'}, an hour of cache. Releases are listed oldest first by version;`,
    '`tags.latest` is the version to use; move off versions that are `isDeprecated`. Unknown values are left out, never guessed.',
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
          `The links are for ${sample.name}; index.json lists all names.`,
          '',
          ...ofComponent.map(link),
        ]
      : []),
    '',
    '## Queries',
    '',
    ...queryLanguage(site, sample?.name ?? 'name'),
    '',
    '## Questions',
    '',
    'Answered from the files; openapi.json describes them.',
    '',
    ...endpoints
      .filter(({ path }) => !isOfOthers(path))
      .flatMap(({ method, path, summary, example }) => {
        const address = withSample(example, requests, encodeURIComponent);
        const name = method === 'GET' ? path : `${method} ${path}`;
        return address === undefined ? [] : [`- [${name}](${site.baseUrl}${address}): ${summary}`];
      }),
    '',
    '## Tools',
    '',
    `The Model Context Protocol at ${site.baseUrl}/mcp, over HTTP and ${site.access ? 'with an access key or a token' : 'without a key'}: ${tools.map(({ name }) => name).join(', ')}.`,
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
    'Terms all hold; `or`, `-` for not, parentheses. A bare word is in component, title or version.',
    '`field:text`, where `*` is any text and `:*` means known; `isLatest` alone means true.',
    '`field:>=value` or `field:[a to b]` for versions, days (`2026-01-31`, `today`, `-5d`), durations (`90d`).',
    `Fields: ${names}.`,
    '',
    `- \`isLatest component:${component}\`: the version to use.`,
    '- `supportLeft:<90d isLatestOfLine`: lines that end within 90 days.',
    '- `releaseTimestamp:>=-26w -isPrerelease`: those of the last half year.',
  ];
}

/** Its first clause. */
function inBrief(summary: string): string {
  return sentence(summary.split(/[:;,]/)[0]!);
}

/** Files that only browsers, crawlers and readers of endoflife.date request. */
function isOfOthers(path: string): boolean {
  const others = [...hiddenPages, 'support.svg', 'robots.txt', 'sitemap.xml', 'llms.txt'];
  return /^\/?(?:assets|endoflife)\//.test(path) || others.includes(path);
}
