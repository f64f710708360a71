import { isDigest } from '../../core/model/digest.ts';
import type { ComponentVersion } from '../../core/model/pair-answers.ts';
import { parseVersion } from '../../core/model/version.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import { keepDetails } from '../answers/answer-index.ts';
import { findByDigest, type DetailsOn, type PublishedReleaseOn } from '../answers/component-on.ts';
import { findRelease } from '../answers/find-release.ts';
import { findExact, type IndexNames, type Owner } from '../answers/match-names.ts';
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
  const identified = await identify(index, read, async (text) =>
    (await source.guesses()).guessItem(index, text),
  );

  // Hints to a program are questions to a person.
  const notRead = identified.notRead.map((part): NotRead =>
    part.reason === 'unknown' ? { ...part, reason: 'guess' } : part,
  );
  return { ...identified, notRead };
}

/** Finds the versions of an index in a text by exact names, for a program: it reports mistyped and spoken names, and guesses nothing. */
export async function identifyExactly(source: NameSource, read: ReadText): Promise<IdentifiedText> {
  return identify(keepDetails(source), read, (text) => suggestVersions(source, text));
}

/** Reads a line that names nothing of the index exactly, but may mean something of it. */
type GuessLine = (text: string) => Promise<Guess>;

/** Finds the versions of the entries, and explains the others. */
async function identify(
  index: NameSource,
  read: ReadText,
  guess: GuessLine,
): Promise<IdentifiedText> {
  const names = await index.names();
  const { entries, hints, countedAsOther } = await guessLines(read, guess);
  const versions: ReadVersion[] = [];
  const notRead = [...hints];
  let entriesRead = 0;
  const foreign: Entry[] = [];

  for (const entry of entries) {
    const versionsOfEntry = await identifyEntry(index, entry, names);
    if (versionsOfEntry.length > 0) {
      versions.push(...versionsOfEntry);
      entriesRead += 1;
      continue;
    }

    const unread = explainEntry(entry, names);
    if (unread) {
      notRead.push(unread);
    } else {
      foreign.push(entry);
    }
  }

  const byName = Map.groupBy(versions, ({ component, version }) => `${component}@${version}`);
  const { problems, otherCount = 0, notes = [], isDocument } = read;
  return {
    versions: Array.from(byName.values(), ([first]) => first),
    notRead: notRead.sort(compareLines),
    otherCount: otherCount - countedAsOther + foreign.length,
    foreign,
    isDocument,
    entriesRead,
    problems,
    notes,
  };
}

/**
 * The entries of a text with those of guessed lines, and hints at what other lines may mean. `countedAsOther`: how many of all
 * these lines the `otherCount` of the text includes.
 */
async function guessLines({ entries, unidentified = [] }: ReadText, guess: GuessLine) {
  const guessed: Entry[] = [];
  const hints: NotRead[] = [];
  let countedAsOther = 0;

  for (const { line, text, countsAsOther } of unidentified) {
    const { item, didYouMean = [] } = await guess(text);
    if (item) {
      guessed.push([{ ...item, line }]);
    } else if (didYouMean.length > 0) {
      hints.push({ line, text, reason: 'unknown', didYouMean });
    } else {
      continue;
    }

    if (countsAsOther) {
      countedAsOther += 1;
    }
  }

  const allEntries = [...entries, ...guessed];
  return {
    entries: guessed.length > 0 ? allEntries.sort(([a], [b]) => compareLines(a, b)) : entries,
    hints,
    countedAsOther,
  };
}

/** The owners of the name or the package of an item, by exact name, title, alias or package. */
export function findOwners(
  { name, purl }: Pick<Item, 'name' | 'purl'>,
  names: IndexNames,
): readonly Owner[] {
  const nameOrPurl = name ?? purl;
  return nameOrPurl === undefined ? [] : findExact(nameOrPurl, names).owners;
}

/** The characters of a text that are shown. */
const shownLength = 200;

/** The versions that an entry states of components. */
async function identifyEntry(
  index: NameSource,
  entry: Entry,
  names: IndexNames,
): Promise<ReadVersion[]> {
  const readVersions: ReadVersion[] = [];
  for (const { version, line, text, ...item } of entry) {
    const located =
      version === undefined ? undefined : await locate(index, findOwners(item, names), version);
    if (located && parseVersion(located.version)) {
      readVersions.push({ ...located, line, text: toLine(text, shownLength) });
    }
  }
  return readVersions;
}

/** The component of owners that has a version, and the version as the component spells it. */
async function locate(
  index: NameSource,
  owners: readonly Owner[],
  version: string,
): Promise<ComponentVersion | undefined> {
  const [owner, anotherOwner] = owners;
  // The details of a single owner are not needed, except to find a digest.
  if (owner && !anotherOwner && !isDigest(version)) {
    return { component: owner.component, version: await toComponentVersion(owner, version) };
  }

  const match = await matchOwner(owners, version, index);
  return match && { component: match.details.component, version: match.version };
}

/** The component of an item. */
interface OwnerMatch {
  readonly details: DetailsOn;
  /** As the component spells it. */
  readonly version: string;
  /** Undefined for a version that the index does not list. */
  readonly release: PublishedReleaseOn | undefined;
}

/** Finds the first of the owners that lists the version or digest; if none lists it, the first owner. */
export async function matchOwner(
  owners: readonly Owner[],
  packageVersion: string,
  index: Pick<NameSource, 'details'>,
): Promise<OwnerMatch | undefined> {
  let unlisted: OwnerMatch | undefined;
  for (const owner of owners) {
    const details = await index.details(owner.component);
    if (details) {
      const { releases } = details;
      const version = await toComponentVersion(owner, packageVersion);
      const release = findByDigest(releases, packageVersion) ?? findRelease(releases, version);
      if (release) {
        return { details, version: release.version, release };
      }

      unlisted ??= { details, version, release };
    }
  }

  return unlisted;
}

/** Why an entry gives no version; undefined if it is about something else. */
function explainEntry(entry: Entry, names: IndexNames): NotRead | undefined {
  const [{ line, text, name, purl, precedingComponent, version }] = entry;
  const place = { line, text: toLine(text, shownLength) };
  if (precedingComponent !== undefined) {
    return { ...place, reason: 'unknown', didYouMean: [`${precedingComponent}@${version}`] };
  }

  if (entry.some((item) => findOwners(item, names).length > 0)) {
    return { ...place, reason: 'no-version' };
  }

  return (name ?? purl) === undefined ? { ...place, reason: 'not-understood' } : undefined;
}
