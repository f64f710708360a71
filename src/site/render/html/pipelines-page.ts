import type { EndpointSample } from '../endpoint-sample.ts';
import { curlCommand, curlScript, generators, pipelineSnippets, scanCommand } from '../pipelines.ts';
import { isClosed } from '../reader-commands.ts';
import type { SiteContext } from '../site-context.ts';
import type { Snippet } from '../snippet.ts';
import { pageOf } from './page-frame.ts';
import { renderTemplate } from './templates.ts';

/** `pipelines.html`: how a pipeline judges what it uses. `sample`: what it asks for. */
export function renderPipelinesPage(site: SiteContext, sample: EndpointSample | undefined): string {
  const { config } = site;
  return renderTemplate(site.theme, 'pipelines', {
    page: pageOf(site, {
      title: `Scans in pipelines | ${config.title}`,
      heading: 'Scans in pipelines',
      description: `A step for the usual CI systems that fails where a release in use does not satisfy a policy of ${config.title}.`,
      path: 'pipelines.html',
    }),
    isClosed: isClosed(site),
    scan: `${scanCommand(site)}\n`,
    generators: closed(generators),
    pipelines: closed(pipelineSnippets(site)),
    curlScript: curlScript(site),
    curlCommand: sample?.version ? curlCommand(site, sample.component, sample.version) : '',
  });
}

/** Open is the first alone: nobody needs all of them. */
function closed(snippets: readonly Snippet[]): object[] {
  return snippets.map((snippet, index) => ({ ...snippet, isLong: index > 0 }));
}
