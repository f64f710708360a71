// `assets/more.js`, the part of the script that few visitors need. A page loads it with the first question that is not just a name
// and a version, with the first bill of materials, and with the first line of a list that names nothing exactly.

import { ask, type Answer } from '../../ask/answers/ask.ts';
import { countReleases } from '../../ask/answers/answer-index.ts';
import { openSearch, type SearchableIndex } from '../../ask/search/open-search.ts';
import { maxUnasked, openSite } from './site-index.ts';

export * from '../../ask/texts/bill-of-materials.ts';
export { guessItem } from '../../ask/texts/guess-items.ts';

/** Opens the index of this site as of today, with search. Rejects components with more than `maxComponentReleases`. */
function openSearchableSite(maxComponentReleases?: number): SearchableIndex {
  const site = openSite(maxComponentReleases);
  return { ...site, ...openSearch({ read: site.read }, site) };
}

const site = openSearchableSite(maxUnasked);
const index = { ...site, searchVersion: searchSmallSite };
/** For questions whose size a person has accepted. */
const wholeIndex = openSearchableSite();

/** The answer to any text. Rejected if it needs a component with more releases than `maxUnasked`. */
export async function askAnything(text: string): Promise<Answer> {
  return ask(index, text, { maxReleases: 100, maySearch: await isSmall() });
}

/** The same after a person agreed to read all releases. */
export function askWhole(text: string): Promise<Answer> {
  return ask(wholeIndex, text, { maxReleases: 100, maySearch: true });
}

/** The components that have a version; empty for a large index, which is not searched. */
export async function searchSmallSite(version: string): Promise<readonly string[]> {
  return (await isSmall()) ? site.searchVersion(version) : [];
}

/** Whether a phone may read all releases without consent. */
async function isSmall(): Promise<boolean> {
  return countReleases(await site.status()) <= maxUnasked;
}
