import type { Day } from '../../src/core/day.ts';
import { loadIndex } from '../../src/site/load-index.ts';
import { renderFiles, writeIndex, type Facts } from '../harness/components.ts';
import { exampleRoot, program } from '../harness/example.ts';
import { listen } from '../harness/listen.ts';

export interface ServedSite {
  /** The address of the site, without a slash at its end. */
  origin: string;
  files: Map<string, string>;
}

/**
 * Starts a server, and builds the site for the server's address. The site has these components. If `components` is undefined, it is the
 * site of the example.
 */
export async function serveSite(
  components: Readonly<Record<string, Facts>> | undefined,
  day: Day,
  settings = {},
): Promise<ServedSite> {
  let files = new Map<string, string>();
  const origin = await listen((request, response) => {
    const body = files.get((request.url ?? '').slice(1));
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(body ?? '');
  });
  const root = components ? writeIndex(components, settings) : exampleRoot;
  const { index } = loadIndex(root, day, program);
  files = renderFiles({ ...index, settings: { ...index.settings, releasesUrl: origin } }, root);
  return { origin, files };
}

/** Replaces `~` in a text with the comment that Renovate reads above a version. A component's name must follow the `~`. */
export function writeComment(text: string, datasource = 'index'): string {
  return `${text.replaceAll('~', `renovate: datasource=custom.${datasource} depName=`)}\n`;
}

/** Writes a Dockerfile with Renovate's comment above each version. */
export function writePins(pins: readonly (readonly [string, string])[]): string {
  const lines = pins.map(
    ([name, version], place) => `# ~${name}\nARG PIN${place}_VERSION="${version}"\n`,
  );
  return writeComment(`FROM scratch\n${lines.join('')}`);
}
