import { openIndex, type PublishedIndex } from '../../answers/published-index.ts';
import type { MissEnv } from './miss.ts';

/** The index that lies beside the Worker. Its files are of the same version, so that what was read stays true. */
export function openSiteIndex({ ASSETS }: MissEnv): PublishedIndex {
  return openIndex({
    async read(path) {
      const response = await ASSETS.fetch(new Request(`https://site.invalid/${path}`));
      return response.ok ? response.text() : undefined;
    },
  });
}
