/**
 * Finds renamed components without an entry in `renamedFrom`. Also checks that the new site and the live site use the same event ids, which
 * begin with the name of a component.
 */
import { join } from 'node:path';
import * as z from 'zod';
import { nameSourcePackage } from '../core/datasources.ts';
import { inputError, type Problem } from '../core/errors.ts';
import { readIfThere } from '../core/files.ts';
import { parseForeign, parseJson } from '../core/parse-document.ts';
import { Component } from '../core/schema/published.ts';
import { nameSources } from '../core/schema/names.ts';
import type { Definition, Settings } from '../core/schema/written.ts';
import type { Digests } from '../core/sha256sums.ts';
import { readDocument, type SiteReader } from '../core/site-reader.ts';
import type { DataFiles } from '../record/data-files.ts';
import { createRenaming } from '../record/data-files.ts';
import { nameFeedIds, nameInIds } from '../site/documents/changes.ts';

interface Checkout {
  root: string;
  data: DataFiles;
  definitions: ReadonlyMap<string, Definition>;
}

/** The JSON keys of a live component that help to recognise it under another name. Another version of the program may have written them. */
const LiveComponent = z.object({
  renamedFrom: z.array(z.string()).default([]),
  packages: z.array(z.string()).default([]),
  sources: z.array(z.object({ id: z.string() })).default([]),
  releases: z.array(z.object({ version: z.string(), isDeprecated: z.boolean().default(false) })),
});
type LiveComponent = z.infer<typeof LiveComponent>;

/**
 * Asks whether a live component that is missing from this checkout was renamed. Says what to do if so. Undefined if no new component fits.
 * A new component fits in each of these cases:
 * - Its journal begins with the same lines.
 * - It has the same versions, and shares a package or URL. Versions alone are not enough: packages of one repository share their versions.
 *
 * `lost`, `journal`: the name and the journal of the missing component.
 */
export async function askForRenaming(
  lost: string,
  site: SiteReader,
  isLive: (name: string) => boolean,
  checkout: Checkout,
  journal: string | undefined,
): Promise<string | undefined> {
  const { root, definitions } = checkout;
  const names = [...definitions.keys()].filter((name) => !isLive(name));
  const isDeclared = definitions.has(lost) || createRenaming(definitions)(lost) !== lost;
  if (isDeclared || names.length === 0) {
    return undefined;
  }

  // A component that was removed long ago has a journal, but no document.
  const path = `details/${lost}.json`;
  const bytes = await site.read(path);
  const live = bytes && parseForeign(LiveComponent, parseJson(bytes.toString(), path), path);
  const name = names.find(
    (each) =>
      (journal && readJournal(root, each).startsWith(journal)) ||
      (live && isSame(live, each, checkout)),
  );
  if (name === undefined) {
    return undefined;
  }

  // The oldest name comes first, because ids of events begin with the oldest name.
  const former = new Set([...(live?.renamedFrom ?? []), lost]);
  const list = formatNames([...former]);
  return `If ${lost} was renamed to ${name}, add "renamedFrom": ${list} to components/${name}.json`;
}

/** Reads the text of a journal. Empty if the journal does not exist. */
export function readJournal(root: string, name: string): string {
  const path = `data/journal/${name}.ndjson`;
  return readIfThere(join(root, path), path)?.toString() ?? '';
}

function isSame(live: LiveComponent, name: string, { data, definitions }: Checkout): boolean {
  const recorded = data.readRecorded(name).releases.map(({ version }) => version);
  const current = live.releases.filter(({ isDeprecated }) => !isDeprecated);
  const { sources } = definitions.get(name)!;
  const places = [...nameSources(sources).keys(), ...sources.map(nameSourcePackage)];
  return (
    current.length > 0 &&
    current.every(({ version }) => recorded.includes(version)) &&
    [...live.packages, ...live.sources.map(({ id }) => id)].some((place) => places.includes(place))
  );
}

/** Warns if an edit of the settings changes the ids of all entries in feeds. `before`: the settings before the edit. */
export function listOtherFeedIds(before: Settings, after: Settings): Problem[] {
  const [former, present] = [nameFeedIds(before), nameFeedIds(after)];
  const message = `the ids of all feed entries begin with ${present} now, and began with ${former} before. Feed readers will show all entries again, because ids contain the host of releasesUrl, and datasource. UIDs of calendar entries contain this host, too`;
  return former === present ? [] : [{ subject: 'site/site.json', message, level: 'warning' }];
}

/** The parts of the live site that show the ids of events. */
interface LiveIds {
  reader: SiteReader;
  digests: Digests;
  /** The number of events in each journal. */
  journals?: Readonly<Record<string, number>> | undefined;
}

const Changes = z.object({ changes: z.array(z.object({ component: z.string(), id: z.string() })) });

/**
 * Throws an `InputError` if event ids would begin with another name. Readers would then see all events again. For example, `renamedFrom`
 * has another order than before.
 */
export async function rejectOtherIds(
  live: LiveIds,
  built: { reader: SiteReader; digests: Digests },
  definitions: Checkout['definitions'],
): Promise<void> {
  const journals = live.journals ?? {};
  const rename = createRenaming(definitions);
  const readNewest = createNewestReader(live.reader);
  for (const former of Object.keys(journals).filter((each) => journals[each]! > 0)) {
    const name = definitions.has(former) ? former : rename(former);
    const feed = built.digests.get(`feeds/${name}.atom`);
    // Two components may have been joined under one name. Then the event ids of only one of the two components stay the same.
    const isContinued = name === former || !journals[name];
    // If a feed has the same bytes as on the live site, its ids are the same.
    if (!isContinued || !feed || feed === live.digests.get(`feeds/${former}.atom`)) {
      continue;
    }

    const expected = (await readNewest(former)) ?? (await readFeedName(live.reader, former));
    const component = await readDocument(built.reader, `details/${name}.json`, Component);
    const got = nameInIds(component);
    if (expected !== undefined && expected !== got) {
      const { renamedFrom = [] } = component;
      const names = new Set([expected, ...renamedFrom, ...(former === name ? [] : [former])]);
      throw inputError(
        `components/${name}.json`,
        `renamedFrom: expected ${formatNames([...names])}; got ${formatNames(renamedFrom)}. Ids of its events begin with "${expected}/" on the live site, and would begin with "${got}/", so readers would see all events again. Nothing was sent. Correct it, commit it, and build again: npx release-index build`,
      );
    }
  }
}

/** Returns a function that reads the name in the ids of a component's newest events. The first call reads the list of events. */
function createNewestReader(site: SiteReader) {
  let names: Promise<Map<string, string>> | undefined;
  const readNames = async () => {
    const { changes } = await readDocument(site, 'changes.json', Changes);
    return new Map(changes.map(({ component, id }) => [component, id.split('/')[0]!]));
  };
  return async (component: string) => {
    names ??= readNames();
    return (await names).get(component);
  };
}

/** Reads the name in the id of a feed. The ids of the feed's events begin with the same name. */
async function readFeedName(site: SiteReader, component: string): Promise<string | undefined> {
  const text = (await site.read(`feeds/${component}.atom`))?.toString() ?? '';
  return /<id>tag:[^<]*\/feed\/([^</]+)<\/id>/.exec(text)?.[1];
}

function formatNames(names: readonly string[]): string {
  return `[${names.map((name) => JSON.stringify(name)).join(', ')}]`;
}
