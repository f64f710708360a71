import { openIndex, type PublishedIndex } from '../published-index.ts';
import type { MissEnv } from './miss.ts';

/** Of search.json and its parts, as characters: what is made of more would not fit into the memory that the host gives. */
const mostSearched = 32 * 2 ** 20;

let index: PublishedIndex | undefined;

/** The index that lies beside the Worker. Its files are of the same version, so that what was read stays true. */
export function siteIndex({ ASSETS }: MissEnv): PublishedIndex {
  index ??= openIndex(
    {
      async read(path) {
        const response = await ASSETS.fetch(new Request(`https://site.invalid/${path}`));
        if (response.status === 404) return undefined;
        if (!response.ok) throw new Error(`${path} answered ${response.status}`);
        return response.text();
      },
    },
    mostSearched,
  );
  return index;
}
