import { isDigest } from '../../core/model/digest.ts';
import { counted, quote, toLine } from '../../core/text/text.ts';
import { parseVersion } from '../../core/model/version.ts';
import { findRelease } from '../answers/find-release.ts';
import { keepDetails } from '../answers/kept-details.ts';
import { openExactNames, resembling, unique, type PackageOwner } from '../answers/match-names.ts';
import { decide, extractVersion, knowsVersion, type NameSource } from '../answers/resolve.ts';
import type { Entry, Item } from './items.ts';
import type { ReadText } from './items.ts';

/** A version of a component in a text. */
export interface ReadVersion {
  readonly component: string;
  readonly version: string;
  /** The line in the text, from 1. */
  readonly line?: number | undefined;
  /** As written. */
  readonly text: string;
}

/** The reason why a part of a text gives no version of the index. */
type NotReadReason = 'guess' | 'not-ours' | 'no-version' | 'not-understood';

export interface NotRead {
  readonly line?: number | undefined;
  readonly text: string;
  readonly reason: NotReadReason;
  /** Versions that a person may confirm, such as `svc@2025.1`. */
  readonly didYouMean?: readonly string[] | undefined;
}

/** The versions in a text that belong to an index. Each entry of the text is read, or left out with its reason. */
export interface IdentifiedText {
  /** Each version once, at its first place. */
  readonly versions: readonly ReadVersion[];
  readonly notRead: readonly NotRead[];
  /** The number of packages in a document that are not in the index. */
  readonly others: number;
  /** The number of entries that were read. */
  readonly entriesRead: number;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/** The owners of the name or the package of an item. */
type OwnersOf = (item: Item) => readonly PackageOwner[];

/** Resembling names are searched for this many entries of a text. */
const mostGuesses = 50;
/** The number of choices for one entry. */
const mostMeant = 3;
const shownLength = 200;

/** The owners by exact name, title, alias or package. */
export async function openOwners(index: Pick<NameSource, 'named' | 'packages'>): Promise<OwnersOf> {
  const exact = openExactNames(await index.named(), await index.packages());

  return ({ name, purl }) => {
    const named = name ?? purl;
    return named === undefined ? [] : exact(named).owners;
  };
}

/** An item of an entry, and the owners of its name or package. */
export interface Reading {
  readonly item: Item;
  readonly owners: readonly PackageOwner[];
}

/** The items of an entry without readings that an earlier reading makes needless. */
export function readingsOf(entry: Entry, ownersOf: OwnersOf): Reading[] {
  const chosen: Reading[] = [];
  let isKnown = false;

  for (const item of entry) {
    if (item.isOtherwise && isKnown) {
      continue;
    }

    const owners = ownersOf(item);
    isKnown ||= owners.length > 0;
    chosen.push({ item, owners });
  }

  return chosen;
}

/** Whether an entry is only a remark to an index that does not know its words. */
export function isOnlyRemark(entry: Entry, ownersOf: OwnersOf): boolean {
  return entry.every((item) => item.isRemark && ownersOf(item).length === 0);
}

/** Finds the versions of an index in a text by exact names. Resembling names are only offered. */
export async function identify(source: NameSource, read: ReadText): Promise<IdentifiedText> {
  const index = keepDetails(source);
  const ownersOf = await openOwners(index);
  const versions = new Map<string, ReadVersion>();
  const notRead: NotRead[] = [];
  let tries = read.isDocument ? mostGuesses : 0;
  let entriesRead = 0;
  let others = 0;

  for (const entry of read.entries) {
    const readings = readingsOf(entry, ownersOf);
    const located = await findVersions(index, readings);

    for (const version of located) {
      const key = `${version.component}@${version.version}`;
      if (!versions.has(key)) {
        versions.set(key, version);
      }
    }

    if (located.length > 0) {
      entriesRead += 1;
      continue;
    }

    tries += 1;

    const left = await explainLeft(index, readings, tries <= mostGuesses);

    if (read.isDocument && left?.reason === 'not-ours') {
      others += 1;
    } else if (left) {
      const [{ line, text }] = entry as readonly [Item];
      notRead.push({ line, text: toLine(text, shownLength), ...left });
    }
  }

  const { problems, notes = [] } = read;

  return { versions: [...versions.values()], notRead, others, entriesRead, problems, notes };
}

async function findVersions(
  index: NameSource,
  readings: readonly Reading[],
): Promise<ReadVersion[]> {
  const readVersions: ReadVersion[] = [];

  for (const { item, owners } of readings) {
    if (item.version === undefined || owners.length === 0) {
      continue;
    }

    const { line, text } = item;
    const located = await locate(index, item, owners);
    if (located && parseVersion(located.version)) {
      readVersions.push({ ...located, line, text: toLine(text, shownLength) });
    }
  }

  return readVersions;
}

/** The component and its version, as in the index; of several components with a package, the one that lists the version. */
async function locate(
  index: Pick<NameSource, 'details' | 'compile'>,
  { version = '' }: Item,
  owners: readonly PackageOwner[],
): Promise<{ component: string; version: string } | undefined> {
  const all = [];

  for (const owner of owners) {
    const { component } = owner;
    const ownersVersion = await extractVersion(owner, version, index);
    if (owners.length === 1 && !isDigest(ownersVersion)) {
      return { component, version: ownersVersion };
    }

    const details = await index.details(component);
    const release = details && releaseOf(details.releases, ownersVersion);
    if (release) {
      return { component, version: release };
    }

    all.push({ component, version: ownersVersion });
  }

  return all[0];
}

function releaseOf(
  releases: readonly {
    readonly version: string;
    readonly digests?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  }[],
  version: string,
): string | undefined {
  if (!isDigest(version)) {
    return findRelease(releases, version)?.version;
  }

  const isOf = (texts: string) => texts.split(' ').includes(version);

  return releases.find(({ digests = {} }) =>
    Object.values(digests).some((artifacts) => Object.values(artifacts).some(isOf)),
  )?.version;
}

/** Undefined for a remark beside versions. */
async function explainLeft(
  index: NameSource,
  readings: readonly Reading[],
  mayGuess: boolean,
): Promise<Pick<NotRead, 'reason' | 'didYouMean'> | undefined> {
  const owned = readings.find(({ owners }) => owners.length > 0);

  if (owned) {
    const { item, owners } = owned;
    const didYouMean = await leastInRange(index, owners[0]!.component, item.range);

    return { reason: 'no-version', didYouMean };
  }

  const items = readings.map(({ item }) => item);
  const [item] = items as [Item];
  const { name, purl, version, beside } = item;

  if (mayGuess && version !== undefined) {
    const words = items.findLast((each) => each.name !== undefined)?.name ?? beside;
    const meant = words === undefined ? [] : await guess(index, words, version);
    if (meant.length > 0) {
      return { reason: 'guess', didYouMean: meant };
    }
  }

  if (item.isRemark) {
    return undefined;
  }

  if ((name ?? purl) === undefined) {
    return { reason: 'not-understood' };
  }

  const isVersioned = items.some((each) => (each.version ?? each.range) !== undefined);

  return { reason: isVersioned ? 'not-ours' : 'no-version' };
}

/** The least version of a range, if the component lists it. */
async function leastInRange(
  index: NameSource,
  component: string,
  range = '',
): Promise<string[] | undefined> {
  const [, least] =
    /^(?:[\^~=[]|~>(?!=)|>=)*\s*(v?\d[\w.+-]*?)(?:\.[x*])*(?:$|[\s,)\]])/i.exec(range) ?? [];
  const details = least === undefined ? undefined : await index.details(component);
  const release = details && findRelease(details.releases, least!);

  return release && [`${component}@${release.version}`];
}

/** The components with resembling names that know the version. */
async function guess(index: NameSource, words: string, version: string): Promise<string[]> {
  // The name of a variable, such as SVC_VERSION.
  const name = words.replace(/[_-](?:version|tag|release)$/i, '').replaceAll('_', '-');
  const [components, packages] = await Promise.all([index.named(), index.packages()]);
  const decided = await decide(index, unique(resembling({ name, version }, components, packages)));
  const all = 'one' in decided ? [decided.one] : decided.several;

  return all
    .filter(
      ({ details, version: itsVersion }) =>
        itsVersion !== undefined && knowsVersion(details, itsVersion),
    )
    .slice(0, mostMeant)
    .map(({ details, version: versionOfComponent = '' }) => {
      const release = findRelease(details.releases, versionOfComponent);
      return `${details.component}@${release?.version ?? versionOfComponent}`;
    });
}

/** The text with guesses that a person confirmed, such as `svc@2025.1`, in the place of what they were guessed for. */
export function withConfirmed(
  identified: IdentifiedText,
  confirmed: readonly string[],
): IdentifiedText {
  const versions = [...identified.versions];
  const notRead: NotRead[] = [];

  for (const left of identified.notRead) {
    const meant = left.didYouMean?.find((each) => confirmed.includes(each));
    if (meant === undefined) {
      notRead.push(left);
      continue;
    }

    const [component = '', version = ''] = meant.split('@');
    const isListed = versions.some((each) => `${each.component}@${each.version}` === meant);

    if (!isListed) {
      versions.push({ component, version, line: left.line, text: left.text });
    }
  }

  const entriesRead = identified.entriesRead + identified.notRead.length - notRead.length;
  versions.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));

  return { ...identified, versions, notRead, entriesRead };
}

/** Says how many packages of a document are not in the index. */
export function othersInWords({ others }: IdentifiedText): string[] {
  const are = others === 1 ? 'is' : 'are';
  return others === 0 ? [] : [`${counted(others, 'other package')} ${are} not in this index.`];
}

/** Says why a part of a text was left out. */
export function leftInWords({ text, reason, didYouMean = [] }: NotRead): string {
  const meant = didYouMean.length > 0 ? ` Did you mean ${didYouMean.join(' or ')}?` : '';

  const words = {
    guess: 'is no name of this index.',
    'not-ours': 'is not in this index.',
    'no-version': 'states no version.',
    'not-understood': 'cannot be read.',
  };

  return `${quote(text)} ${words[reason]}${meant}`;
}
