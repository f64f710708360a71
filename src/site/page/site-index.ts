import { openAnswerIndex, type AnswerIndex } from '../../ask/answers/answer-index.ts';
import type { DetailsOn } from '../../ask/answers/details-on.ts';
import { readStatus, readDocumentText } from './site-documents.ts';

/** The largest number of releases that a phone reads without consent. */
export const mostUnasked = 4000;

/**
 * Opens the index of this site as of today. Reading a component with more than `mostReleases` is rejected with the number of its
 * `releases`: a person has to agree to so large a download.
 */
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
      const { releases } = component;
      throw Object.assign(new Error(`${releases} releases`), { releases });
    }

    return component;
  }
}
