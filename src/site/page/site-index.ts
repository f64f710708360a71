import { openAnswerIndex, type AnswerIndex } from '../../ask/answers/answer-index.ts';
import type { DetailsOn } from '../../ask/answers/details-on.ts';
import { readStatus, readDocumentText } from './site-documents.ts';

/** The largest number of releases that a phone reads without consent. */
export const mostUnasked = 4000;

/** A component whose document is too large to read before a person agrees. */
export class LargeComponentError extends Error {
  override readonly name = 'LargeComponentError';
  readonly releases: number;

  constructor(releases: number) {
    super(`${releases} releases`);
    this.releases = releases;
  }
}

/** What answers need of the index of this site, as of today. Rejects components with more than `mostReleases`. */
export function openSite(mostReleases = Infinity) {
  const index = openAnswerIndex({ read });
  const opened = new Map<string, Promise<DetailsOn | undefined>>();

  return {
    ...index,
    details: ((name) => {
      const details = opened.get(name) ?? index.details(name);
      opened.set(name, details);
      details.catch(() => opened.delete(name));
      return details;
    }) satisfies AnswerIndex['details'],
    // The expressions of the browser, instead of a bundled engine.
    compile: (pattern: string) => ({
      match: (text: string) => new RegExp(pattern, 'u').exec(text)?.groups,
    }),
    read,
  };

  async function read(path: string): Promise<string | undefined> {
    const name = /^details\/(.+)\.json$/.exec(path)?.[1];

    // Browsers log each missing document as an error.
    return name === undefined || (await readComponent(name)) ? readDocumentText(path) : undefined;
  }

  async function readComponent(name: string) {
    const component = new Map(Object.entries((await readStatus()).components)).get(name);
    if (component && component.releases > mostReleases) {
      throw new LargeComponentError(component.releases);
    }

    return component;
  }
}
