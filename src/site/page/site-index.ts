import { openAnswerIndex } from '../../ask/answers/answer-index.ts';
import { keepPromises } from '../../ask/answers/memory.ts';

/** The largest number of releases that a phone reads without consent. */
export const maxUnasked = 4000;

/**
 * Opens the index of this site as of today. Reading a component with more than `maxComponentReleases` is rejected with the number of its
 * `releases`: a person has to agree to so large a download.
 */
export function openSite(maxComponentReleases = Infinity) {
  const index = openAnswerIndex({ read });

  return {
    ...index,
    // Without a limit: a page lives as long as its visitor reads it.
    details: keepPromises(index.details),
    read,
  };

  async function read(path: string): Promise<string | undefined> {
    const name = /^details\/(.+)\.json$/.exec(path)?.[1];
    if (name === undefined) {
      return readDocumentText(path);
    }

    const { components } = await index.status();
    const entry = Object.entries(components).find(
      ([key, { aliases }]) => key === name || aliases?.includes(name),
    );
    if (!entry) {
      // Browsers log each missing document as an error.
      return undefined;
    }

    const { releases } = entry[1];
    if (releases > maxComponentReleases) {
      // No class: the scripts of a page are bundled apart, each with classes of its own.
      throw Object.assign(new Error(`${releases} releases`), { releases });
    }

    return readDocumentText(path);
  }
}

/** The scripts of a page are bundled apart, and share the documents that they read. */
const scope = globalThis as { readReleaseIndexDocument?: (path: string) => Promise<string> };

/** Reads a document of this index, once. After a failure, the next call tries again. */
export const readDocumentText = (scope.readReleaseIndexDocument ??= keepPromises(fetchText));

async function fetchText(path: string): Promise<string> {
  const response = await fetch(toUrl(path));
  if (!response.ok) {
    throw new Error(`${path} answered ${response.status}`);
  }

  return response.text();
}

/** The folder of the site, which may be below the root of its host. */
const root = new URL(
  '..',
  document.querySelector<HTMLScriptElement>('script[src$="assets/site.js"]')!.src,
);

export function toUrl(path: string): URL {
  return new URL(path, root);
}

/** The reason for a missing answer, in a sentence. */
export function describeFailure({ message }: Error): string {
  return navigator.onLine
    ? `No answer, please try again: ${message}`
    : 'No connection. The page itself is still valid.';
}
