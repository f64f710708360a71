import { endpoints } from '../api/endpoints.ts';
import type { Component } from '../policy/component.ts';
import { withSample, type EndpointSample } from './endpoint-sample.ts';
import { pathFor, publishedPaths, isOfComponent, type PublishedPath } from './paths.ts';
import type { SiteContext } from './site-context.ts';

/** `llms.txt` (llmstxt.org): a title, what this is, and links to what machines read. `sample`: the component to link to. */
export function renderLlmsText(
  site: SiteContext,
  sample: Component | undefined,
  requests: EndpointSample | undefined,
): string {
  const machine = publishedPaths.filter(
    ({ path, mediaType }) => mediaType !== 'text/html' && !isOfPages(path) && path !== 'llms.txt',
  );
  const ofComponents = machine.filter(
    (published) =>
      isOfComponent(published) && sample && (published.onlyIf === undefined || sample.judgement.latest),
  );
  const ofAll = machine.filter(({ path, onlyIf }) => !path.includes('{') && onlyIf === undefined);
  const link = (published: PublishedPath) => {
    const { path, summary } = published;
    return `- [${path}](${site.baseUrl}/${pathFor(path, sample?.name ?? '')}): ${summary}`;
  };
  const page = (path: string, text: string) => `- [${path}](${site.baseUrl}/${path}): ${text}`;
  return [
    `# ${site.config.title}`,
    '',
    `> ${site.config.description}`,
    '',
    'Static files: no key, the same answer for everyone, an hour of cache. Releases are listed oldest first by version, not by day;',
    '`tags.latest` is the newest version to use, and `isDeprecated` says what to move off. What is not known is left out, never guessed.',
    '',
    '## All components',
    '',
    ...ofAll.map(link),
    ...(ofComponents.length === 0
      ? []
      : [
          '',
          '## One component',
          '',
          `The links are those of ${sample!.name}; index.json lists the names that may take its place.`,
          '',
          ...ofComponents.map(link),
        ]),
    '',
    '## Questions',
    '',
    'Answered from the files; openapi.json describes them.',
    '',
    ...endpoints.flatMap(({ path, summary, example }) => {
      const address = withSample(example, requests, encodeURIComponent);
      return address === undefined ? [] : [`- [${path}](${site.baseUrl}${address}): ${summary}`];
    }),
    '',
    '## Optional',
    '',
    page('api.html', 'Every path with its fields, and what will never change.'),
    page('verify.html', 'How to check origin and integrity.'),
    '',
  ].join('\n');
}

/** What only browsers and crawlers ask for. */
function isOfPages(path: string): boolean {
  return path.startsWith('assets/') || path === 'robots.txt' || path === 'sitemap.xml';
}
