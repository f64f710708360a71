import { isDigest } from '../../core/model/digest.ts';
import type { ComponentVersion } from '../../core/model/pair-answers.ts';
import { parseVersion } from '../../core/model/version.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import { keepDetails } from '../answers/answer-index.ts';
import { findByDigest, type DetailsOn, type PublishedReleaseOn } from '../answers/component-on.ts';
import { findRelease } from '../answers/find-release.ts';
import { findExact, type Owner } from '../answers/match-names.ts';
import { toComponentVersion, type NameSource } from '../answers/resolve.ts';
import { suggestVersions, type Guess, type guessItem, type GuessSource } from './guess-items.ts';
import {
  compareLines,
  type IdentifiedText,
  type NotRead,
  type ReadVersion,
} from './identified-text.ts';
import type { Entry, Item, ReadText } from './text-entries.ts';

interface SourceForPerson extends GuessSource {
  /** The reader of lines that name nothing exactly: a page loads it with the first of them. */
  guesses(): Promise<{ guessItem: typeof guessItem }>;
}

/** Finds the versions of an index in a text, for a person: it also reads spoken names, and asks what mistyped names mean. */
export async function identifyForPerson(
  source: SourceForPerson,
  read: ReadText,
): Promise<IdentifiedText> {
  const index = keepDetails(source);
  const guesses = await guessLines(read, async (text) =>
    (await source.guesses()).guessItem(index, text),
  );
  const entries = [...read.entries, ...guesses.entries].sort(([a], [b]) => compareLines(a, b));
  const identified = await identify(index, { ...read, entries }, guesses);

  // Hints to a program are questions to a person.
  const notRead = identified.notRead.map((part): NotRead =>
    part.reason === 'unknown' ? { ...part, reason: 'guess' } : part,
  );
  return { ...identified, notRead };
}

/** Finds the versions of an index in a text by exact names, for a program: it reports mistyped and spoken names, and guesses nothing. */
export async function identifyExactly(source: NameSource, read: ReadText): Promise<IdentifiedText> {
  const suggestions = await guessLines(read, (text) => suggestVersions(source, text));
  return identify(keepDetails(source), read, suggestions);
}

/** The lines that name nothing of the index exactly, but may mean something of it. */
interface GuessedLines {
  readonly entries: readonly Entry[];
  /** The lines without an entry, with suggestions. */
  readonly hints: readonly NotRead[];
  /** How many of these lines the `otherCount` of the text includes. */
  readonly countedAsOther: number;
}

async function guessLines(
  { unidentified = [] }: ReadText,
  guess: (text: string) => Promise<Guess>,
): Promise<GuessedLines> {
  const entries: Entry[] = [];
  const hints: NotRead[] = [];
  let countedAsOther = 0;

  for (const { line, text, countsAsOther } of unidentified) {
    const { item, didYouMean = [] } = await guess(text);
    if (item) {
      entries.push([{ ...item, line }]);
    } else if (didYouMean.length > 0) {
      hints.push({ line, text, reason: 'unknown', didYouMean });
    }

    if (countsAsOther && (item || didYouMean.length > 0)) {
      countedAsOther += 1;
    }
  }

  return { entries, hints, countedAsOther };
}

/** Finds the versions of the entries, and explains the others. `hints` are explained already. */
async function identify(
  index: NameSource,
  read: ReadText,
  { hints, countedAsOther }: Pick<GuessedLines, 'hints' | 'countedAsOther'>,
): Promise<IdentifiedText> {
  const findOwners = await openOwners(index);
  const versions = new Map<string, ReadVersion>();
  const notRead = [...hints];
  let entriesRead = 0;
  let foreignEntries = 0;

  for (const entry of read.entries) {
    const versionsOfEntry = await identifyEntry(index, entry, findOwners);
    for (const version of versionsOfEntry) {
      const key = `${version.component}@${version.version}`;
      if (!versions.has(key)) {
        versions.set(key, version);
      }
    }
    if (versionsOfEntry.length > 0) {
      entriesRead += 1;
      continue;
    }

    const unread = explainEntry(entry, findOwners);
    if (unread) {
      notRead.push(unread);
    } else {
      foreignEntries += 1;
    }
  }

  const { problems, otherCount = 0, notes = [], isDocument } = read;
  return {
    versions: [...versions.values()],
    notRead: notRead.sort(compareLines),
    otherCount: otherCount - countedAsOther + foreignEntries,
    isDocument,
    entriesRead,
    problems,
    notes,
  };
}

/** The owners of the name or the package of an item. */
export type FindOwners = (item: Item) => readonly Owner[];

/** Returns a function that finds owners by exact name, title, alias or package. */
export async function openOwners(index: Pick<NameSource, 'names'>): Promise<FindOwners> {
  const names = await index.names();
  return ({ name, purl }) => {
    const nameOrPurl = name ?? purl;
    return nameOrPurl === undefined ? [] : findExact(nameOrPurl, names).owners;
  };
}

/** The characters of a text that are shown. */
const shownLength = 200;

/** The versions that an entry states of components. */
async function identifyEntry(
  index: NameSource,
  entry: Entry,
  findOwners: FindOwners,
): Promise<ReadVersion[]> {
  const readVersions: ReadVersion[] = [];
  for (const item of entry) {
    const { line, text } = item;
    const located = await locate(index, item, findOwners);
    if (located && parseVersion(located.version)) {
      readVersions.push({ ...located, line, text: toLine(text, shownLength) });
    }
  }
  return readVersions;
}

/** The component and the version of an item. */
async function locate(
  index: NameSource,
  { version, ...item }: Item,
  findOwners: FindOwners,
): Promise<ComponentVersion | undefined> {
  if (version === undefined) {
    return undefined;
  }

  const owners = findOwners(item);
  const [owner, anotherOwner] = owners;
  // The details of a single owner are not needed, except to find a digest.
  if (owner && !anotherOwner && !isDigest(version)) {
    return { component: owner.component, version: await toComponentVersion(owner, version, index) };
  }

  const match = await matchOwner(owners, version, index);
  return (
    match && {
      component: match.details.component,
      version: match.release?.version ?? match.version,
    }
  );
}

/** The component of an item, with its version in the form of the component. */
interface OwnerMatch {
  readonly details: DetailsOn;
  readonly version: string;
  /** Undefined for a version that the index does not list. */
  readonly release: PublishedReleaseOn | undefined;
}

/** Finds the first of the owners that lists the version or digest; if none lists it, the first owner. */
export async function matchOwner(
  owners: readonly Owner[],
  packageVersion: string,
  index: Pick<NameSource, 'details' | 'compile'>,
): Promise<OwnerMatch | undefined> {
  let unlisted: OwnerMatch | undefined;
  for (const owner of owners) {
    const details = await index.details(owner.component);
    if (details) {
      const { releases } = details;
      const version = await toComponentVersion(owner, packageVersion, index);
      const release = findByDigest(releases, packageVersion) ?? findRelease(releases, version);
      const match = { details, version, release };
      if (release) {
        return match;
      }

      unlisted ??= match;
    }
  }

  return unlisted;
}

/** Why an entry gives no version; undefined if it is about something else. */
function explainEntry(entry: Entry, findOwners: FindOwners): NotRead | undefined {
  const [{ line, text, name, purl, precedingComponent, version }] = entry;
  const place = { line, text: toLine(text, shownLength) };
  if (precedingComponent !== undefined) {
    return { ...place, reason: 'unknown', didYouMean: [`${precedingComponent}@${version}`] };
  }

  if (entry.some((item) => findOwners(item).length > 0)) {
    return { ...place, reason: 'no-version' };
  }

  return (name ?? purl) === undefined ? { ...place, reason: 'not-understood' } : undefined;
}
