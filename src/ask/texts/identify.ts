import { isDigest } from '../../core/model/digest.ts';
import { parseVersion } from '../../core/model/version.ts';
import { quote, toLine } from '../../core/text/foreign-text.ts';
import { keepDetails } from '../answers/answer-index.ts';
import { listDigests, type PublishedReleaseOn } from '../answers/component-on.ts';
import { findRelease } from '../answers/find-release.ts';
import {
  suggestComponents,
  findOnlySpoken,
  findExact,
  listMatches,
  type PackageOwner,
} from '../answers/match-names.ts';
import { extractVersion, type NameSource } from '../answers/resolve.ts';
import type { Guess, guessItem, GuessSource } from './guess-names.ts';
import { listEndings, maxSuggestions, splitLine } from './read-line.ts';
import type { Entry, Item, ReadText } from './text-entries.ts';

interface ComponentVersion {
  readonly component: string;
  readonly version: string;
}

/** A version of a component in a text. */
export interface ReadVersion extends ComponentVersion {
  /** The line in the text, from 1. */
  readonly line?: number | undefined;
  /** As written. */
  readonly text: string;
}

/** The reason why a part of a text gives no version of the index: `guess` is a question to a person, `unknown` a hint to a program. */
type NotReadReason = 'guess' | 'unknown' | 'no-version' | 'not-understood';

export interface NotRead {
  readonly line?: number | undefined;
  readonly text: string;
  readonly reason: NotReadReason;
  /** Versions that a person may confirm, such as `svc@2025.1`. */
  readonly didYouMean?: readonly string[] | undefined;
}

/** Whether only a person can say what a part of a text means. */
export function isQuestion<Part extends Pick<NotRead, 'reason' | 'didYouMean'>>(
  part: Part,
): part is Part & { didYouMean: readonly string[] } {
  return part.reason === 'guess' && part.didYouMean !== undefined;
}

/** The versions in a text that belong to an index. Each entry of the text is read, or left out with its reason. */
export interface IdentifiedText {
  /** Each version once, at its first place. */
  readonly versions: readonly ReadVersion[];
  readonly notRead: readonly NotRead[];
  /** The number of packages, or of lines with a version, that are not in the index. */
  readonly others: number;
  /** Whether it is a bill of materials, which has packages in place of lines. */
  readonly isDocument?: true | undefined;
  /** The number of entries that were read. */
  readonly entriesRead: number;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/** The owners of the name or the package of an item. */
export type FindOwners = (item: Item) => readonly PackageOwner[];

const shownLength = 200;

/** The owners by exact name, title, alias or package. */
export async function openOwners(index: Pick<NameSource, 'names'>): Promise<FindOwners> {
  const names = await index.names();
  return ({ name, purl }) => {
    const nameOrPurl = name ?? purl;
    return nameOrPurl === undefined ? [] : findExact(nameOrPurl, names).owners;
  };
}

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
  const { hints, ...guessed } = await readUnidentified(read, 'guess', async (text) =>
    (await source.guesses()).guessItem(index, text),
  );
  guessed.entries.sort(([a], [b]) => compareLines(a, b));
  const identified = await identify(index, { ...read, ...guessed }, hints);
  const notRead = identified.notRead.map((part): NotRead =>
    part.reason === 'unknown' ? { ...part, reason: 'guess' } : part,
  );
  return { ...identified, notRead };
}

/** Finds the versions of an index in a text by exact names, for a program: it reports mistyped and spoken names, and guesses nothing. */
export async function identifyExactly(source: NameSource, read: ReadText): Promise<IdentifiedText> {
  const { hints, ...guessed } = await readUnidentified(read, 'unknown', (text) =>
    suggestVersions(source, text),
  );
  return identify(keepDetails(source), { ...read, ...guessed }, hints);
}

/** Reads the lines that name nothing of the index exactly: as further entries, as hints, or as lines about something else. */
async function readUnidentified(
  { entries, unidentified = [], otherCount = 0 }: ReadText,
  reason: NotReadReason,
  guess: (text: string) => Promise<Guess>,
) {
  const guessed = { entries: [...entries], otherCount, hints: [] as NotRead[] };
  for (const { line, text, countsAsOther } of unidentified) {
    const { item, didYouMean = [] } = await guess(text);
    if (item) {
      guessed.entries.push([{ ...item, line }]);
    } else if (didYouMean.length > 0) {
      guessed.hints.push({ line, text, reason, didYouMean });
    } else {
      continue;
    }

    if (countsAsOther) {
      guessed.otherCount -= 1;
    }
  }

  return guessed;
}

/** The version in a line, of each component whose name the line mistypes or speaks. */
async function suggestVersions(source: NameSource, text: string): Promise<Guess> {
  const { name, version } = splitLine(text);
  if (version === undefined) {
    return {};
  }

  const names = await source.names();
  const suggestions = new Set(suggestComponents(name, names.components));
  for (const ending of listEndings(name)) {
    const spoken = findOnlySpoken(listMatches({ name: ending }, names));
    if (spoken) {
      suggestions.add(spoken.name);
    }
  }
  return {
    didYouMean: [...suggestions]
      .slice(0, maxSuggestions)
      .map((component) => `${component}@${version}`),
  };
}

/** Finds the versions of the entries. `hints`: on lines that name nothing of the index exactly. */
async function identify(
  index: NameSource,
  read: ReadText,
  hints: readonly NotRead[],
): Promise<IdentifiedText> {
  const findOwners = await openOwners(index);
  const versions = new Map<string, ReadVersion>();
  const notRead = [...hints];
  let entriesRead = 0;
  let { otherCount: others = 0 } = read;

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

    const leftOut = await explainEntry(index, entry, findOwners);
    if (leftOut) {
      notRead.push(leftOut);
    } else {
      others += 1;
    }
  }

  const { problems, notes = [], isDocument } = read;
  notRead.sort(compareLines);
  return {
    versions: [...versions.values()],
    notRead,
    others,
    isDocument,
    entriesRead,
    problems,
    notes,
  };
}

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

/** The component and its version, as in the index; of several components with a package, the first that lists the version. */
async function locate(
  index: NameSource,
  item: Item,
  findOwners: FindOwners,
): Promise<ComponentVersion | undefined> {
  if (item.version === undefined) {
    return undefined;
  }

  const owners = findOwners(item);
  let unlisted: ComponentVersion | undefined;
  for (const owner of owners) {
    const { component } = owner;
    const version = await extractVersion(owner, item.version, index);
    if (owners.length === 1 && !isDigest(version)) {
      return { component, version };
    }

    const details = await index.details(component);
    const release = details && findListed(details.releases, version);
    if (release !== undefined) {
      return { component, version: release };
    }

    unlisted ??= { component, version };
  }

  return unlisted;
}

/** The version of a release; for a digest, of the release with an artifact of this digest. */
function findListed(releases: readonly PublishedReleaseOn[], version: string): string | undefined {
  if (!isDigest(version)) {
    return findRelease(releases, version)?.version;
  }

  const release = releases.find((each) => listDigests(each).some(([, text]) => text === version));
  return release?.version;
}

/** Why an entry gives no version; undefined if it is about something else. */
async function explainEntry(
  index: NameSource,
  entry: Entry,
  findOwners: FindOwners,
): Promise<NotRead | undefined> {
  const [{ line, text, name, purl, precedingComponent, version }] = entry;
  const place = { line, text: toLine(text, shownLength) };
  if (precedingComponent !== undefined) {
    return { ...place, reason: 'unknown', didYouMean: [`${precedingComponent}@${version}`] };
  }

  for (const item of entry) {
    const [owner] = findOwners(item);
    if (owner) {
      const didYouMean = await findLeastInRange(index, owner.component, item.range);
      return { ...place, reason: 'no-version', didYouMean };
    }
  }

  return (name ?? purl) === undefined ? { ...place, reason: 'not-understood' } : undefined;
}

/** A range with a lower bound, such as `^2.0.1` and `>=2.0, <3`. */
const rangeForm = /^(?:[\^~=[]|~>(?!=)|>=)*\s*(v?\d[\w.+-]*?)(?:\.[x*])*(?:$|[\s,)\]])/i;

/** The least version of a range, if the component lists it. */
async function findLeastInRange(
  index: NameSource,
  component: string,
  range: string | undefined,
): Promise<string[] | undefined> {
  const version = rangeForm.exec(range ?? '')?.[1];
  if (version === undefined) {
    return undefined;
  }

  const details = await index.details(component);
  const release = details && findRelease(details.releases, version);
  return release && [`${component}@${release.version}`];
}

function compareLines(a: Pick<NotRead, 'line'>, b: Pick<NotRead, 'line'>): number {
  return (a.line ?? 0) - (b.line ?? 0);
}

/** The text with guesses that a person confirmed, such as `svc@2025.1`, in the place of what they were guessed for. */
export function applyConfirmed(
  identified: IdentifiedText,
  confirmed: readonly string[],
): IdentifiedText {
  const versions = [...identified.versions];
  const notRead: NotRead[] = [];

  for (const part of identified.notRead) {
    const meant = part.didYouMean?.find((each) => confirmed.includes(each));
    if (meant === undefined) {
      notRead.push(part);
      continue;
    }

    const [component = '', version = ''] = meant.split('@');
    const isListed = versions.some((each) => `${each.component}@${each.version}` === meant);
    if (!isListed) {
      versions.push({ component, version, line: part.line, text: part.text });
    }
  }

  const entriesRead = identified.entriesRead + identified.notRead.length - notRead.length;
  versions.sort(compareLines);
  return { ...identified, versions, notRead, entriesRead };
}

/** Says why a part of a text was left out. */
export function explainLeftOut({ text, reason, didYouMean = [] }: NotRead): string {
  const meant = didYouMean.length > 0 ? ` Did you mean ${didYouMean.join(' or ')}?` : '';

  const words = {
    guess: 'is no name of this index.',
    unknown: 'is no name of this index.',
    'no-version': 'states no version.',
    'not-understood': 'cannot be read.',
  };
  return `${quote(text)} ${words[reason]}${meant}`;
}
