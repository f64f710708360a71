import type { Protection } from '../../core/schemas/access-config.ts';
import { unservedFiles } from '../../site/render/headers.ts';
import { digestsFile } from '../../site/digests.ts';
import { signedPaths } from '../../site/own-files.ts';
import type { Live } from './live.ts';

/** The changes at the public address. */
export interface Plan {
  baseUrl: string;
  /** Empty for a host of files alone. */
  worker: string;
  asOf: string;
  files: number;
  /** The part that will need a credential; none where absent. */
  protect?: Protection;
  /** The number of access keys that the host will accept; absent where it keeps its own. */
  keys?: number;
  /** Day of the live site; absent where none was found. */
  liveAsOf?: string;
  /** Files that are new or differ from the live ones. */
  changed: string[];
  /** Files that are live and will disappear. */
  gone: string[];
}

interface PlanInput extends Pick<Plan, 'baseUrl' | 'worker' | 'asOf' | 'protect' | 'keys'> {
  /** Of all files that will be served, by path. */
  digests: ReadonlyMap<string, string>;
  live: Live;
}

export function makePlan({ digests, live, ...site }: PlanInput): Plan {
  const signed = new Set(signedPaths(digests.keys()));
  const served = [...digests.keys()].sort(
    (a, b) => Number(signed.has(a)) - Number(signed.has(b)) || (a < b ? -1 : 1),
  );
  const known: ReadonlyMap<string, string> = live.kind === 'site' ? live.site.digests : new Map();
  // The list of digests does not contain signed files, which change whenever the list does.
  const isKnown = (path: string) => known.has(path) && known.get(path) === digests.get(path);
  return {
    ...site,
    files: served.length,
    ...(live.kind === 'site' && { liveAsOf: live.site.asOf }),
    changed: served.filter((path) => !isKnown(signed.has(path) ? digestsFile : path)),
    gone: [...known.keys()].filter((path) => !digests.has(path) && !unservedFiles.has(path)).sort(),
  };
}
