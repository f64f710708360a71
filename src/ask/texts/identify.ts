import { isDigest } from '../../core/model/digest.ts';
import { parseVersion } from '../../core/model/version.ts';
import { quote, toLine } from '../../core/text/foreign-text.ts';
import { formatCount } from '../../core/text/wording.ts';
import { keepDetails } from '../answers/answer-index.ts';
import { findRelease } from '../answers/judge-version.ts';
import {
  suggestComponents,
  findOnlySpoken,
  openExactNames,
  findResembling,
  type PackageOwner,
} from '../answers/match-names.ts';
import { extractVersion, type NameSource } from '../answers/resolve.ts';
import type * as Guess from './guess-names.ts';
import type { Entry, Item, ReadText } from './items.ts';
import { listEndings, mostSuggestions, splitLine } from './split-line.ts';

/** A version of a component in a text. */
export interface ReadVersion {
  readonly component: string;
  readonly version: string;
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
export async function openOwners(
  index: Pick<NameSource, 'named' | 'packages'>,
): Promise<FindOwners> {
  const findExact = openExactNames(await index.named(), await index.packages());
  return ({ name, purl }) => {
    const nameOrPurl = name ?? purl;
    return nameOrPurl === undefined ? [] : findExact(nameOrPurl).owners;
  };
}

interface SourceForPerson extends Guess.GuessSource {
  /** The reader of lines that name nothing exactly: a page loads it with the first of them. */
  guesses(): Promise<Pick<typeof Guess, 'readMeant'>>;
}

/** Finds the versions of an index in a text, for a person: it also reads spoken names, and asks what mistyped names mean. */
export async function identifyForPerson(
  source: SourceForPerson,
  read: ReadText,
): Promise<IdentifiedText> {
  const index = keepDetails(source);
  const guesses: NotRead[] = [];
  const spoken: Entry[] = [];
  let { others = 0 } = read;

  for (const { line, text, isFurther } of read.otherLines ?? []) {
    const { readMeant } = await source.guesses();
    const { item, didYouMean } = await readMeant(index, text);
    if (item) {
      spoken.push([{ ...item, line }]);
    } else if (didYouMean.length > 0) {
      guesses.push({ line, text, reason: 'guess', didYouMean });
    }

    others -= Number((item ?? didYouMean[0]) !== undefined && !isFurther);
  }

  const entries = [...read.entries, ...spoken].sort(compareLines);
  const identified = await identify(index, { ...read, entries, others }, guesses);
  const notRead = identified.notRead.map((part): NotRead =>
    part.reason === 'unknown' ? { ...part, reason: 'guess' } : part,
  );
  return { ...identified, notRead };
}

/** Finds the versions of an index in a text by exact names, for a program: it reports mistyped and spoken names, and guesses nothing. */
export async function identifyExactly(source: NameSource, read: ReadText): Promise<IdentifiedText> {
  const components = await source.named();
  const packages = await source.packages();
  const meantLines: NotRead[] = [];
  let { others = 0 } = read;

  for (const { line, text, isFurther } of read.otherLines ?? []) {
    const { name, version } = splitLine(text);
    const spoken = listEndings(name).map(
      (ending) => findOnlySpoken(findResembling({ name: ending }, components, packages))?.name,
    );
    const meant = [...suggestComponents(name, components), ...spoken];
    const didYouMean = [...new Set(meant.filter((each) => each !== undefined))]
      .slice(0, mostSuggestions)
      .map((component) => `${component}@${version}`);

    if (version !== undefined && didYouMean.length > 0) {
      meantLines.push({ line, text, reason: 'unknown', didYouMean });
      others -= Number(!isFurther);
    }
  }

  return identify(source, { ...read, others }, meantLines);
}

/** `lines`: how lines are reported that name nothing of the index. */
async function identify(
  source: NameSource,
  read: ReadText,
  lines: readonly NotRead[],
): Promise<IdentifiedText> {
  const index = keepDetails(source);
  const findOwners = await openOwners(index);
  const versions = new Map<string, ReadVersion>();
  const notRead = [...lines];
  let entriesRead = 0;
  let { others = 0 } = read;

  for (const entry of read.entries) {
    const located = await findVersions(index, entry, findOwners);
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

    const leftOut = await findReason(index, entry, findOwners);
    if (leftOut) {
      const [{ line, text }] = entry as readonly [Item];
      notRead.push({ line, text: toLine(text, shownLength), ...leftOut });
    } else {
      others += 1;
    }
  }

  const { problems, notes = [], isDocument } = read;

  notRead.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
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

async function findVersions(
  index: NameSource,
  entry: Entry,
  findOwners: FindOwners,
): Promise<ReadVersion[]> {
  const readVersions: ReadVersion[] = [];
  for (const item of entry) {
    const owners = item.version === undefined ? [] : findOwners(item);
    const located = owners.length === 0 ? undefined : await locate(index, item, owners);
    if (located && parseVersion(located.version)) {
      const { line, text } = item;
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
  const results = [];

  for (const owner of owners) {
    const { component } = owner;
    const ownersVersion = await extractVersion(owner, version, index);
    if (owners.length === 1 && !isDigest(ownersVersion)) {
      return { component, version: ownersVersion };
    }

    const details = await index.details(component);
    const release = details && findListed(details.releases, ownersVersion);
    if (release) {
      return { component, version: release };
    }

    results.push({ component, version: ownersVersion });
  }

  return results[0];
}

function findListed(
  releases: readonly {
    readonly version: string;
    readonly digests?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  }[],
  version: string,
): string | undefined {
  if (!isDigest(version)) {
    return findRelease(releases, version)?.version;
  }

  const hasVersion = (texts: string) => texts.split(' ').includes(version);
  return releases.find(({ digests = {} }) =>
    Object.values(digests).some((artifacts) => Object.values(artifacts).some(hasVersion)),
  )?.version;
}

/** Undefined for an entry that is about something else. */
async function findReason(
  index: NameSource,
  entry: Entry,
  findOwners: FindOwners,
): Promise<Pick<NotRead, 'reason' | 'didYouMean'> | undefined> {
  const [{ name, purl, beside, version }] = entry as readonly [Item];
  if (beside !== undefined) {
    return { reason: 'unknown', didYouMean: [`${beside}@${version}`] };
  }

  const item = entry.find((each) => findOwners(each).length > 0);
  if (item) {
    const component = findOwners(item)[0]!.component;
    return {
      reason: 'no-version',
      didYouMean: await findLeastInRange(index, component, item.range),
    };
  }

  return (name ?? purl) === undefined ? { reason: 'not-understood' } : undefined;
}

/** The least version of a range, if the component lists it. */
async function findLeastInRange(
  index: NameSource,
  component: string,
  range = '',
): Promise<string[] | undefined> {
  const [, version] =
    /^(?:[\^~=[]|~>(?!=)|>=)*\s*(v?\d[\w.+-]*?)(?:\.[x*])*(?:$|[\s,)\]])/i.exec(range) ?? [];
  const details = version === undefined ? undefined : await index.details(component);
  const release = details && findRelease(details.releases, version!);
  return release && [`${component}@${release.version}`];
}

function compareLines([left]: Entry, [right]: Entry): number {
  return (left?.line ?? 0) - (right?.line ?? 0);
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
  versions.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  return { ...identified, versions, notRead, entriesRead };
}

/** Says how many packages or lines are not in the index. */
export function describeOthers({ others, isDocument }: IdentifiedText): string[] {
  if (others === 0) {
    return [];
  }

  const sentence = isDocument
    ? `${formatCount(others, 'other package')} ${others === 1 ? 'is' : 'are'} not in this index.`
    : `${formatCount(others, 'other line')} ${others === 1 ? 'names' : 'name'} nothing of this index.`;
  return [sentence];
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
