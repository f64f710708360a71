import { chooseComponent } from '../answers/choose-component.ts';
import { findRelease, knowsVersion } from '../answers/find-release.ts';
import { findOnlySpoken, listMatches, suggestComponents } from '../answers/match-names.ts';
import type { NameSource, Resolved } from '../answers/resolve.ts';
import { isConnector, readLine } from './read-line.ts';
import { listVersions } from './read-number.ts';
import type { Item } from './text-entries.ts';

export type GuessSource = NameSource & Required<Pick<NameSource, 'searchVersion'>>;

/** A line as an item, or the versions that it may mean. Without an item and suggestions, the line is about something else. */
export interface Guess {
  readonly item?: Item;
  /** As `component@version`. */
  readonly didYouMean?: string[];
}

/** The maximum number of suggestions for one line. */
const maxSuggestions = 3;

/** A line of a list that is only a version. A number without a dot may count anything. */
const bareVersion = /^[\s\-+*•"'`]*v?\d+(?:\.\w+)+(?:-[\w.]+)?["'`,;\s]*$/i;

/**
 * Guesses what a person means by a line that names nothing of the index exactly. For a version alone, suggests the components that
 * have it. Else tries the endings of the name, then the whole name. An item needs several words that only one component has, and a
 * listed version that begins no range: `the Maven agent 1.21`. Otherwise, up to three versions are suggested.
 */
export async function guessItem(index: GuessSource, text: string): Promise<Guess> {
  const line = splitLine(text);
  if (!line) {
    return {};
  }

  const { name, version, isRange } = line;
  if (bareVersion.test(text)) {
    return { didYouMean: await suggestOwners(index, version) };
  }

  for (const ending of listEndings(name)) {
    const { choices, spokenName } = await findMeaning(index, ending, version);
    const isListed = choices.some(
      ({ details }) => details.component === spokenName && findRelease(details.releases, version),
    );
    if (isListed && !isRange) {
      return { item: { text, name: spokenName, version } };
    }

    const didYouMean = listKnownVersions(choices);
    if (didYouMean.length > 0) {
      return { didYouMean };
    }
  }

  // The whole name may be an identifier of another product, such as `CACHE_NODE`: it is only suggested.
  const { choices } = await findMeaning(index, name, version);
  return { didYouMean: listKnownVersions(choices) };
}

/** The components that a text may mean, and the only one of which it has several words. */
async function findMeaning(index: NameSource, text: string, version: string) {
  const candidates = listMatches({ name: text, version }, await index.names());
  const { choices } = await chooseComponent(index, candidates);
  return { choices, spokenName: findOnlySpoken(candidates)?.name };
}

/** The version as `component@version` for each component that has it; none if there are too many to help. */
async function suggestOwners(index: GuessSource, version: string): Promise<string[]> {
  const owners = await index.searchVersion(version);
  return owners.length > maxSuggestions ? [] : owners.map((owner) => `${owner}@${version}`);
}

/** The version of each choice that has it. */
function listKnownVersions(choices: readonly Resolved[]): string[] {
  const versions: string[] = [];
  for (const { details, version } of choices) {
    if (version !== undefined && knowsVersion(details, version)) {
      const release = findRelease(details.releases, version);
      versions.push(`${details.component}@${release?.version ?? version}`);
    }
  }
  return versions.slice(0, maxSuggestions);
}

/**
 * Suggests the version in a line that names nothing exactly, for programs, which get no guessed items: for the components whose
 * names it mistypes, and for the only one of which it has several words.
 */
export async function suggestVersions(index: NameSource, text: string): Promise<Guess> {
  const line = splitLine(text);
  if (!line) {
    return {};
  }

  const { name, version } = line;
  const names = await index.names();
  const suggestions = new Set(suggestComponents(name, names.components));
  for (const ending of listEndings(name)) {
    const spoken = findOnlySpoken(listMatches({ name: ending }, names));
    if (spoken) {
      suggestions.add(spoken.name);
    }
  }
  const components = [...suggestions].slice(0, maxSuggestions);
  return { didYouMean: components.map((component) => `${component}@${version}`) };
}

/** A word, also of several parts: `build_agent`, `@example/kit`. */
const word = /@?[\p{L}\p{N}]+(?:[@/._-][\p{L}\p{N}]+)*/gu;

/** The key of a version behind a name: `BUILD_CACHE_VERSION`, `Maven agent release`. */
const keyBehind = /[ _-](?:version|tag|release)$/i;

/** The first version of a line, the name before it, and whether the version begins a range. Undefined for a line without a version. */
function splitLine(text: string) {
  const [first] = listVersions(text);
  if (!first) {
    return undefined;
  }

  const before = text.slice(0, first.start);
  const words = before.match(word) ?? [];
  const name = words.join(' ').replace(keyBehind, '').replaceAll('_', '-');

  // A range may begin with signs, such as `>=1.20`.
  const signs = before.split(/\p{L}/u).at(-1) ?? '';
  const { range } = readLine(signs + text.slice(first.start));
  return { name, version: first.version.replace(/^v/i, ''), isRange: range !== undefined };
}

/**
 * The endings of a name, the last one to five words, the longest first. Only endings of letters and spaces, without the words that
 * join the name to the version: `the Maven agent`, `Maven agent` and `agent` of `the Maven agent is`.
 */
export function listEndings(name: string): string[] {
  const words = name.split(/\s+/);
  const end = words.findLastIndex((word) => !isConnector(word)) + 1;
  const endings: string[] = [];
  for (let start = Math.max(0, end - 5); start < end; start += 1) {
    const ending = words.slice(start, end).join(' ');
    if (/^[\p{L} ]+$/u.test(ending)) {
      endings.push(ending);
    }
  }
  return endings;
}
