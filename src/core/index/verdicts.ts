/** The verdict on any version, from `details/<component>.json`. No zod and no Node: pages load it. */
import { pick } from '../objects.ts';
import type { Item } from './item.ts';
import type { Verdict } from '../schema/documents.ts';
import type { Component as Details, Line, Release } from '../schema/published.ts';
import { formatPackage } from '../purl.ts';
import { quote } from '../text.ts';
import {
  compareVersions,
  createLineFinder,
  parseVersion,
  keyRelease,
  keyVersion,
  readVersion,
  type Version,
} from '../version.ts';
import { findWords, endKeys } from '../words.ts';
import { extractVersion, toExtraction } from './extract.ts';
import { findNamesake, findOwners, type Names, type Owner } from './owners.ts';

/** The component of an item. */
export interface Match extends Pick<
  Details,
  'component' | 'title' | 'sourceRepository' | 'support'
> {
  /** As it was judged; empty where none is stated. */
  readonly version: string;
  /** Undefined where the version is not listed. */
  readonly release: Release | undefined;
  /** Undefined where no version is stated, or none that can be read. */
  readonly verdict: Verdict | undefined;
}

/** An item, with its component if that is of this index. */
export interface Entry {
  readonly item: Item;
  readonly match: Match | undefined;
  /** The component that has the name of a package and not the package. */
  readonly namesake?: string | undefined;
}

/** Of several owners of a package, the one that lists the version, else the first. Each component is read once. */
export async function findItems(
  items: readonly Item[],
  names: Names,
  readDetails: (component: string) => Promise<Details | undefined>,
): Promise<Entry[]> {
  const asked = items.flatMap((item) => findOwners(item, names).map((owner) => ({ item, owner })));
  const groups = Map.groupBy(asked, ({ owner }) => owner.component);
  const components = [...groups.keys()].sort();
  const matches = new Map<Item, Match>();
  while (components.length > 0) {
    // As many at once as a browser asks for: all of them would not fit into a Worker.
    const read = await Promise.all(components.splice(0, 6).map(readDetails));
    for (const details of read.filter((each) => each !== undefined)) {
      for (const { item, owner } of groups.get(details.component)!) {
        const match = matchItem(details, item, owner);
        const former = matches.get(item);
        if (!former || (match.verdict?.isListed && !former.verdict?.isListed)) {
          matches.set(item, match);
        }
      }
    }
  }
  return items.map((item) => ({
    item,
    match: matches.get(item),
    namesake: findNamesake(item, names)?.component,
  }));
}

function matchItem(details: Details, item: Item, owner: Owner): Match {
  const { component, title, sourceRepository, support, releases } = details;
  const { digests = [] } = item;
  // With an epoch, which only distributions know; a line may be written as 2025.1.x.
  const version = (item.version ?? '').replace(/^\d+:(?=\d)/, '').replace(/(?:\.[x*]){1,9}$/i, '');
  const readings = listReadings(version, owner, details);
  // An image may have its digest in place of a version.
  const bytes = readings.some(parseVersion) ? [] : [version, ...digests];
  const release =
    // One that is listed as it is written is meant, whatever the pattern of its package makes of it.
    findRelease(details, [version, ...readings]) ??
    releases.find((each) => each.digests?.some((digest) => bytes.includes(digest)));

  const verdict: Verdict | undefined = release
    ? { ...release, ...findWords(release, details.lines), isListed: true }
    : describeUnlisted(details, readings.find(parseVersion) ?? version);
  const judged = verdict?.version ?? version;
  return { component, title, sourceRepository, support, version: judged, release, verdict };
}

/**
 * The versions of a component that somebody may mean. A version of a package is read by the pattern of its source. Below a name it is
 * rather one of the component; only what has more than digits may be of any of its packages.
 */
function listReadings(version: string, owner: Owner, { sources }: Details): string[] {
  if (owner.isPackage) {
    return [extractVersion(version, owner)];
  }
  if (/^v?[\d.]*$/i.test(version)) {
    return [version];
  }

  const patterns = sources.flatMap((source) => toExtraction(source.extractVersion) ?? []);
  return [version, ...patterns.map((pattern) => extractVersion(version, pattern))];
}

/** Describes why an item has no verdict. All endpoints use these words. */
export function describeObstacle({ item, match, namesake }: Entry): string {
  const { text, purl, version } = item;
  if (namesake !== undefined && purl) {
    const alias = quote(formatPackage(purl.type, purl.name));
    return `${namesake} is a component, but this is not one of its packages. If it should be, add the alias ${alias}.`;
  }
  if (!match) {
    return `The index does not know ${quote(text)}.`;
  }
  if (match.verdict) {
    return match.verdict.sentence;
  }
  return version === undefined
    ? 'No version is stated.'
    : `${quote(version)} is not a version such as 2025.3; a range, a tag or a commit may stand for any release.`;
}

/** One that is not listed has the verdict of its line. Undefined for a text that is no version. */
function describeUnlisted(details: Details, version: string): Verdict | undefined {
  const wanted = parseVersion(version);
  if (!wanted) {
    return undefined;
  }

  const name = getLookup(details).findLine(wanted);
  const line = details.lines.find((each) => each.line === name);
  return line ? describeByLine(details, version, line) : describeUnknown(details, version, wanted);
}

/** Of the first text that is listed: as it is written, else as 2025.1.0 and 2025.1 are one version. */
function findRelease(details: Details, texts: readonly string[]): Release | undefined {
  const { exact, loose } = getLookup(details);
  const versions = texts.flatMap((text) => parseVersion(text) ?? []);
  const spelled = versions.map((version) => exact.get(keyVersion(version)));
  const similar = versions.map((version) => loose.get(keyRelease(version)));
  return [...spelled, ...similar].find((release) => release !== undefined);
}

const lookups = new WeakMap<Details, ReturnType<typeof createLookup>>();

function getLookup(details: Details) {
  const lookup = lookups.get(details) ?? createLookup(details);
  lookups.set(details, lookup);
  return lookup;
}

function createLookup({ lines, releases }: Details) {
  const exact = new Map<string, Release>();
  const loose = new Map<string, Release>();
  // Of several with one key, the first.
  for (const release of releases.toReversed()) {
    const version = readVersion(release.version);
    exact.set(keyVersion(version), release);
    loose.set(keyRelease(version), release);
  }
  return { exact, loose, findLine: createLineFinder(lines.map(({ line }) => line)) };
}

const sharedKeys = [
  ...endKeys,
  'line',
  'because',
  'advice',
  'isSupported',
  'moveTo',
  'moveReason',
  'moveBy',
] as const;

function describeByLine({ title }: Details, version: string, line: Line): Verdict {
  return {
    ...pick(line, sharedKeys),
    version,
    isListed: false,
    state: 'not-listed',
    lineState: line.state,
    label: `Not listed; its line: ${line.label.toLowerCase()}`,
    sentence: `${title} ${version} is not listed. ${line.sentence}`,
  };
}

function describeUnknown(
  { title, releases, latest }: Details,
  version: string,
  wanted: Version,
): Verdict {
  const greatest = releases.at(-1);
  const isFuture =
    greatest !== undefined && compareVersions(readVersion(greatest.version), wanted) < 0;
  const fact = isFuture ? 'is not released yet' : 'belongs to no known release line';
  return {
    version,
    isListed: false,
    state: isFuture ? 'not-released' : 'unknown-line',
    label: isFuture ? 'Not released' : 'Unknown line',
    sentence: `${title} ${version} ${fact}.`,
    because: [],
    advice: latest === undefined ? 'No release is known.' : `The latest version is ${latest}.`,
  };
}
