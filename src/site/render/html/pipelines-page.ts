import type { EndpointSample } from '../endpoint-sample.ts';
import { isClosed, reading } from '../reader-commands.ts';
import type { SiteContext } from '../site-context.ts';
import { renderSnippet, type Snippet } from '../snippets.ts';
import { renderPage } from './page-frame.ts';

/** The major version that the steps run. */
export const scanProgram = 'release-index@1';

const pipelines = ['github-actions', 'code-scanning', 'gitlab', 'jenkins'];
const generators = ['cyclonedx-npm', 'npm-sbom', 'cyclonedx-maven', 'syft', 'list'];

/** Writes a bill of materials in each of the pipelines. */
const generate =
  'npx --yes @cyclonedx/cyclonedx-npm@6 --package-lock-only --spec-version 1.6 --output-file bom.json';

/** `pipelines.html`: how a pipeline judges what it uses. `sample`: what it asks for. */
export function renderPipelinesPage(site: SiteContext, sample: EndpointSample | undefined): string {
  const scan = reading(site, `npx --yes ${scanProgram} scan bom.json --index ${site.baseUrl}`);
  const textOf = (name: string, view: object) => renderSnippet(site, name, view).text;
  return renderPage(site, 'pipelines', {
    isClosed: isClosed(site),
    scan: `${scan}\n`,
    pipelines: closed(pipelines.map((id) => renderSnippet(site, `pipeline-${id}`, { generate, scan }, id))),
    generators: closed(generators.map((id) => renderSnippet(site, `generator-${id}`, { generate }, id))),
    curlScript: textOf('scan-with-curl', {}),
    curlCommand: sample?.version
      ? textOf('scan-of-a-version', { sample, version: encodeURIComponent(sample.version) })
      : '',
  });
}

/** Only the first is open, as a reader needs one of them. */
function closed(snippets: readonly Snippet[]): object[] {
  return snippets.map((snippet, index) => ({ ...snippet, isLong: index > 0 }));
}
