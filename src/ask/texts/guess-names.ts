import { findRelease, knowsVersion } from '../answers/find-release.ts';
import { findOnlySpoken, listMatches } from '../answers/match-names.ts';
import { resolveCandidates, type NameSource, type Resolved } from '../answers/resolve.ts';
import { listEndings, maxSuggestions, splitLine } from './read-line.ts';
import type { Item } from './text-entries.ts';

export interface GuessSource extends NameSource {
  /** The components that have a version. */
  searchVersion(version: string): Promise<readonly string[]>;
}

/** A line of a list that is only a version. A number without a dot may count anything. */
const bareVersion = /^[\s\-+*•"'`]*v?\d+(?:\.\w+)+(?:-[\w.]+)?["'`,;\s]*$/i;

/** A line as an item, or versions to ask a person about. */
export interface Guess {
  readonly item?: Item;
  readonly didYouMean?: readonly string[];
}

/**
 * Guesses what a person means by a line that names nothing of the index exactly. It tries the last one to five words before the
 * version, the longest text first, and then the whole name. An item needs several words that only one component has, and a listed
 * version: `the Maven agent 1.21`. Otherwise, up to three versions are suggested.
 */
export async function guessItem(index: GuessSource, text: string): Promise<Guess> {
  const { name, version } = splitLine(text);
  if (version === undefined) {
    return {};
  }
  if (bareVersion.test(text)) {
    return { didYouMean: await suggestOwners(index, version) };
  }

  const names = await index.names();
  const endings = listEndings(name);
  for (const ending of new Set([...endings, name])) {
    const candidates = listMatches({ name: ending, version }, names);
    const result = await resolveCandidates(index, candidates);
    const choices = 'resolved' in result ? [result.resolved] : result.choices;

    const spoken = findOnlySpoken(candidates)?.name;
    const isListed = choices.some(
      ({ details }) => details.component === spoken && findRelease(details.releases, version),
    );
    // The whole name may be an identifier of another product, such as `CACHE_NODE`: it is only suggested.
    if (isListed && endings.includes(ending)) {
      return { item: { text, name: spoken, version } };
    }

    const didYouMean = listVersions(choices);
    if (didYouMean.length > 0) {
      return { didYouMean };
    }
  }

  return {};
}

/** A version of each component that has it. More than `maxSuggestions` are no help. */
async function suggestOwners(index: GuessSource, version: string): Promise<string[]> {
  const owners = await index.searchVersion(version);
  return owners.length > maxSuggestions ? [] : owners.map((owner) => `${owner}@${version}`);
}

function listVersions(choices: readonly Resolved[]): string[] {
  const versions: string[] = [];
  for (const { details, version } of choices) {
    if (version !== undefined && knowsVersion(details, version)) {
      const release = findRelease(details.releases, version);
      versions.push(`${details.component}@${release?.version ?? version}`);
    }
  }
  return versions.slice(0, maxSuggestions);
}
