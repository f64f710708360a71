import { z } from 'zod';
import {
  readPublishedText,
  type PublishedDocuments,
} from '../../ask/answers/published-documents.ts';
import { HttpError } from '../../io/http/error.ts';
import { lenient } from '../../core/schemas/lenient.ts';
import type { Run } from '../../core/schemas/recorded/journal.ts';
import { AllFile, ReleaseFile } from '../../core/schemas/published/release-file.ts';
import { StatusFile } from '../../core/schemas/published/status-file.ts';
import { digestsFile, parseDigests } from '../../site/digests.ts';
import { sha256 } from '../../io/files/sha256.ts';
import { counted, listed, sentence } from '../../core/text/text.ts';
import { describedComponents } from '../../site/earlier-files.ts';
import { documentsAt, documentsIn, parsePublished } from './index-documents.ts';
import { readNewestEvents, readOtherEvents, type LiveEvent } from './live-events.ts';
import { openSiteHttp, readingKeyVariable, type SiteHttpInput } from './site-http.ts';
import { notice, problem, warning, type Finding } from '../../core/schemas/finding.ts';

/** The compared part of `<component>.json`. Lenient, since a newer program may have published the live file. */
const PublishedComponent = lenient(ReleaseFile.pick({ releases: true }));
export type PublishedComponent = z.infer<typeof PublishedComponent>;

/** The components of a published site by name. */
type LiveIndex = ReadonlyMap<string, PublishedComponent>;

export interface LiveSite {
  asOf: string;
  digests: ReadonlyMap<string, string>;
  index: LiveIndex;
  /** The events in files of a year that differ from those of the site to publish. */
  events: readonly LiveEvent[];
}

export type Live =
  | { kind: 'site'; site: LiveSite }
  /** Nothing was ever published there: `status.json` answers 404, or the host name does not exist. */
  | { kind: 'nothing'; reason: string }
  /** Any other problem: unknown what readers would lose. */
  | { kind: 'unreadable'; reason: string };

const firstDocument = 'status.json';

/** `ownDigests`: those of the site to publish. Does not throw on any answer. */
export async function readLive(
  input: SiteHttpInput & { baseUrl: string },
  ownDigests: ReadonlyMap<string, string>,
): Promise<Live> {
  const { baseUrl } = input;
  const http = openSiteHttp(input);

  try {
    return { kind: 'site', site: await readSite(documentsAt(http, baseUrl), ownDigests) };
  } catch (error) {
    const { message } = error as Error;

    if (!(error instanceof HttpError)) {
      return { kind: 'unreadable', reason: `${baseUrl}: ${message}` };
    }

    const isFirst = error.url === new URL(`${baseUrl}/${firstDocument}`).href;
    if (isFirst && (error.kind === 'absent' || isUnknownName(error))) {
      return { kind: 'nothing', reason: `nothing is published at ${baseUrl} yet` };
    }

    const advice = `If the index is private, set ${readingKeyVariable} to one of its access keys.`;

    return {
      kind: 'unreadable',
      reason: error.status === 401 ? `${sentence(message)} ${advice}` : message,
    };
  } finally {
    await http.close();
  }
}

/** Reads the site in a folder, with components under their earlier names too. Throws if the folder holds no site. */
export async function readCopy(
  folder: string,
  ownDigests?: ReadonlyMap<string, string>,
): Promise<LiveSite> {
  const documents = documentsIn(folder);
  const { index, ...site } = await readSite(documents, ownDigests);
  const earlier = describedComponents(site.digests.keys()).filter((name) => !index.has(name));
  const components = earlier.map(async (name) => {
    return [name, await readAs(documents, `${name}.json`, PublishedComponent)] as const;
  });

  return { ...site, index: new Map([...index, ...(await Promise.all(components))]) };
}

/** `all.json`, or one of its parts. */
const IndexDocument = lenient(
  AllFile.extend({ components: z.record(z.string(), PublishedComponent) }),
);

/** The components of a site, from `all.json` and the parts it lists. Throws on a malformed document. */
export async function readPublishedIndex(
  read: <T>(path: string, schema: z.ZodType<T>) => T | Promise<T>,
): Promise<LiveIndex> {
  const { components, parts = [] } = await read('all.json', IndexDocument);
  const index = new Map(Object.entries(components));

  for (const path of parts) {
    const part = await read(path, IndexDocument);
    for (const [name, component] of Object.entries(part.components)) {
      index.set(name, component);
    }
  }

  return index;
}

/** The events that readers of a published site know. */
export interface LiveState {
  /** The newest run that is public, by its instant, and since when. */
  readonly run: Pick<Run, 'published' | 'publishedAt'>;
  /** The newest events. */
  readonly events: readonly LiveEvent[];
}

/** The state of the site at an address or in a folder; undefined if it cannot be read. */
export async function readPublishedState(
  input: SiteHttpInput & { baseUrl: string; to?: string | undefined },
): Promise<LiveState | undefined> {
  const http = openSiteHttp(input);
  try {
    const documents =
      input.to === undefined ? documentsAt(http, input.baseUrl) : documentsIn(input.to);
    const { runs } = await readAs(documents, firstDocument, LiveRuns);
    const instant = await documents.publishedAt?.();
    const publishedAt =
      instant === undefined ? undefined : new Date(Math.ceil(instant)).toISOString();

    return {
      run: { published: runs?.[0]?.at, publishedAt },
      events: await readNewestEvents(documents),
    };
  } catch {
    // Nothing is published yet, or the publication will report the problem.
    return undefined;
  } finally {
    await http.close();
  }
}

const LiveRuns = lenient(StatusFile.pick({ runs: true }));

async function readSite(
  documents: PublishedDocuments,
  ownDigests?: ReadonlyMap<string, string>,
): Promise<LiveSite> {
  const { asOf } = await readAs(documents, firstDocument, lenient(StatusFile.pick({ asOf: true })));
  const list = await readPublishedText(documents, digestsFile);
  const digests = parseDigests(list).set(digestsFile, sha256(list));
  const index = await readPublishedIndex((path, schema) => readAs(documents, path, schema));
  const events = await readOtherEvents(documents, digests, ownDigests ?? digests);

  return { asOf, digests, index, events };
}

/** A document that every index has. */
async function readAs<T>(
  documents: PublishedDocuments,
  path: string,
  schema: z.ZodType<T>,
): Promise<T> {
  return parsePublished(path, await readPublishedText(documents, path), schema);
}

function isUnknownName({ cause }: Error): boolean {
  if (!(cause instanceof Error)) {
    return false;
  }

  return (cause as NodeJS.ErrnoException).code === 'ENOTFOUND' || isUnknownName(cause);
}

type Site = Pick<LiveSite, 'asOf' | 'index'>;

/** The id of a refusal: other reasons give another id. */
export function refusalId(reasons: readonly string[]): string {
  return `site-${sha256(JSON.stringify(reasons)).slice(0, 10)}`;
}

/**
 * Reports what readers of the live site would lose with the new one. An error must stop the publication. `isDecided`:
 * whether a person has accepted the refusal with this id.
 */
export function compareWithLive(
  live: Live,
  site: Site,
  { address, isDecided }: { address: string; isDecided(id: string): boolean },
): Finding[] {
  if (live.kind === 'nothing') {
    return [notice('live site', `${sentence(live.reason)} Nothing to compare with.`)];
  }

  const refused =
    live.kind === 'site' ? findLosses(live.site, site) : [problem('live site', live.reason)];
  if (refused.length === 0) {
    return [];
  }

  // A decision applies to this live site; if it is unreadable, to this day.
  const about =
    live.kind === 'site'
      ? [
          live.site.digests.get(digestsFile) ?? '',
          ...refused.map(({ subject, message }) => `${subject}: ${message}`),
        ]
      : [site.asOf];

  const id = refusalId([live.kind, address, ...about]);

  if (isDecided(id)) {
    return refused.map(({ subject, message }) =>
      warning(subject, `${sentence(message)} Accepted.`),
    );
  }

  const loss = `readers of ${address} would lose this`;
  const unknown = `${address} could not be read, so losses of its readers are unknown`;
  const consequence = `The live site stays as it is. To publish all the same: accept ${id}`;

  return [
    ...refused,
    {
      ...problem('publish', `${live.kind === 'site' ? loss : unknown}. ${consequence}`),
      accept: id,
    },
  ];
}

/** Releases that only the live site has, and a live site of a later day. The gate has checked all other losses. */
function findLosses(live: Site, { asOf, index }: Site): Finding[] {
  const missing: Finding[] = [];

  for (const [name, { releases }] of live.index) {
    const present = new Set(index.get(name)?.releases.map(({ version }) => version));
    const lost = releases.map(({ version }) => version).filter((one) => !present.has(one));
    const message = index.has(name)
      ? `${listed(lost, 5)}: live and not in the site`
      : `is live with ${counted(releases.length, 'release')} and not in the site`;

    if (lost.length > 0 || !index.has(name)) {
      // One cause, however many components it affects.
      missing.push({ ...problem(name, message), cause: 'releases of the live site' });
    }
  }

  const sorted = missing.toSorted((a, b) => (a.subject < b.subject ? -1 : 1));

  if (asOf >= live.asOf) {
    return sorted;
  }

  const older = `the site is of ${asOf}, older than the live one of ${live.asOf}`;

  return [problem(firstDocument, older), ...sorted];
}
