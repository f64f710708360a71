import * as z from 'zod';
import { readReleases } from '../read-releases.ts';
import {
  anyFlag,
  anyText,
  anyTime,
  parseAs,
  pickTexts,
  fetchJson,
  fetchPages,
  joinUrl,
  resolveAtHost,
} from '../requests.ts';
import type { Datasource, PackageSource } from '../types.ts';

/** An entry of the index (doc.rust-lang.org/cargo/reference/registry-index.html). Older entries have no `pubtime`. */
const Entry = z
  .object({ vers: z.string().min(1), yanked: anyFlag, pubtime: anyTime, cksum: anyText })
  .transform(({ vers: version, yanked, pubtime: releaseTimestamp, cksum }) => ({
    version,
    releaseTimestamp,
    deprecated: yanked ? '' : undefined,
    isSemver: true,
    digests: [cksum],
  }));

const defaultIndex = 'https://index.crates.io/';

const Days = z.object({
  versions: z.array(
    z.object({ num: z.string(), created_at: z.string() }).optional().catch(undefined),
  ),
  meta: z.object({ next_page: z.string().nullish() }).nullish(),
});

const Described = z.object({ crate: z.unknown() });

export const crate: Datasource<PackageSource> = {
  async list({ packageName, registryUrl = defaultIndex }, { http }) {
    const name = packageName.toLowerCase();
    const response = await http.fetch({
      url: joinUrl(registryUrl, createIndexPath(name)),
      accept: 'text/plain',
    });
    const entries = parseAs('lines of JSON', response, (text) =>
      text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line): unknown => JSON.parse(line)),
    );
    return readReleases(response.url, entries, Entry);
  },
  async lookUp(source, { version }, { http }) {
    if (!isPublic(source)) {
      return {};
    }

    // This list has the dates of all versions. A run requests each URL only once, so further versions need no further requests.
    const url = locateAtApi(source, ['versions'], 'per_page=100');
    const pages = await fetchPages(http, { url }, Days, (response, { meta }) =>
      meta?.next_page ? resolveAtHost(response, meta.next_page) : undefined,
    );
    const days = pages.flatMap(({ versions }) => versions);
    return { releaseTimestamp: days.find((entry) => entry?.num === version)?.created_at };
  },
  async describe(source, { http }) {
    if (!isPublic(source)) {
      return {};
    }

    const url = locateAtApi(source, [], 'include=');
    const described = await fetchJson(http, { url }, Described);
    return pickTexts(described.crate, { homepage: 'homepage', repository: 'repository' });
  },
};

/** Tells whether a crate is at crates.io. Only crates.io has an API with descriptions, and with dates that the index lacks. */
function isPublic({ registryUrl = defaultIndex }: PackageSource): boolean {
  return new URL(registryUrl).origin === new URL(defaultIndex).origin;
}

function locateAtApi(
  { packageName }: PackageSource,
  path: readonly string[],
  query: string,
): string {
  return joinUrl('https://crates.io/', ['api', 'v1', 'crates', packageName, ...path], query);
}

/** Returns the path of a crate in an index: `1/a`, `2/cc`, `3/l/log`, `ra/nd/rand`. */
function createIndexPath(name: string): string[] {
  if (name.length < 3) {
    return [String(name.length), name];
  }
  if (name.length === 3) {
    return ['3', name.slice(0, 1), name];
  }
  return [name.slice(0, 2), name.slice(2, 4), name];
}
