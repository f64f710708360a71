import { openIndex } from '../../ask/answers/published-index.ts';
import { readStatus, readText } from './site-documents.ts';

/** A component whose document is too large to read before a person agrees. */
export class LargeComponentError extends Error {
  override readonly name = 'LargeComponentError';
  readonly releases: number;

  constructor(releases: number) {
    super(`${releases} releases`);
    this.releases = releases;
  }
}

/** The index of this site, as of today. Rejects components with more than `mostReleases`. */
export function openSite(mostReleases = Infinity) {
  return {
    ...openIndex({ read }),
    // The expressions of the browser, instead of a bundled engine.
    compile: (pattern: string) => ({
      match: (text: string) => new RegExp(pattern, 'u').exec(text)?.groups,
    }),
  };

  async function read(path: string): Promise<string | undefined> {
    const name = /^details\/(.+)\.json$/.exec(path)?.[1];
    if (name === undefined) {
      return readText(path);
    }

    const component = new Map(Object.entries((await readStatus()).components)).get(name);

    // Browsers log each missing document as an error.
    if (!component) {
      return undefined;
    }

    if (component.releases > mostReleases) {
      throw new LargeComponentError(component.releases);
    }

    return readText(path);
  }
}
