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
export interface Meaning {
  readonly item?: Item;
  readonly didYouMean?: readonly string[];
}

/**
 * Guesses what a person means by a line that names nothing of the index exactly. `the Maven agent 1.21` is an item if one
 * component has these words in its name, and lists this version. A single word may name anything.
 */
export async function readMeant(index: GuessSource, text: string): Promise<Meaning> {
  const { name, version } = splitLine(text);
  if (version === undefined) {
    return {};
  }
  if (bareVersion.test(text)) {
    const owners = await index.searchVersion(version);
    return owners.length > maxSuggestions
      ? {}
      : { didYouMean: owners.map((component) => `${component}@${version}`) };
  }

  const names = await index.names();
  const endings = listEndings(name);
  for (const ending of new Set([...endings, name])) {
    const split = { name: ending, version };
    const candidates = listMatches(split, names);
    const result = await resolveCandidates(index, candidates);
    const resolved = 'resolved' in result ? [result.resolved] : result.choices;

    const spoken = endings.includes(ending) ? findOnlySpoken(candidates) : undefined;
    const component = resolved.find(({ details }) => details.component === spoken?.name);
    if (component && findRelease(component.details.releases, version)) {
      return { item: { text, name: spoken?.name, version } };
    }

    const didYouMean = listVersions(resolved);
    if (didYouMean.length > 0) {
      return { didYouMean };
    }
  }

  return {};
}

function listVersions(resolved: readonly Resolved[]): string[] {
  const versions: string[] = [];
  for (const { details, version = '' } of resolved) {
    const release = findRelease(details.releases, version);
    if (release || knowsVersion(details, version)) {
      versions.push(`${details.component}@${release?.version ?? version}`);
    }
  }
  return versions.slice(0, maxSuggestions);
}
