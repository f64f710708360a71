import { findRelease } from '../answers/judge-version.ts';
import { findOnlySpoken, findResembling, removeRepeated } from '../answers/match-names.ts';
import {
  knowsVersion,
  resolveCandidates,
  type NameSource,
  type Resolved,
} from '../answers/resolve.ts';
import type { Item } from './items.ts';
import { listEndings, mostSuggestions, splitLine } from './split-line.ts';

// Guesses for people, about lines of a text that name nothing of the index exactly.

export interface GuessSource extends NameSource {
  /** The components that have a version. */
  searchVersion(version: string): Promise<readonly string[]>;
}

/** A line of a list that is a version only. A number may count anything. */
const bareVersion = /^[\s\-+*•"'`]*v?\d+(?:\.\w+)+(?:-[\w.]+)?["'`,;\s]*$/i;

/**
 * Guesses what a person means. `the Maven agent 1.21` is an item: its words are in the name of one component, and that component
 * lists the version. A single word may name anything. Without an item, `didYouMean` has versions of components with similar names.
 */
export async function readMeant(
  index: GuessSource,
  text: string,
): Promise<{ readonly item?: Item; readonly didYouMean: readonly string[] }> {
  const { name, version } = splitLine(text);
  if (version === undefined) {
    return { didYouMean: [] };
  }

  if (bareVersion.test(text)) {
    const components = await index.searchVersion(version);
    const isFew = components.length <= mostSuggestions;
    return { didYouMean: isFew ? components.map((each) => `${each}@${version}`) : [] };
  }

  const [components, packages] = await Promise.all([index.named(), index.packages()]);
  const endings = listEndings(name);
  for (const ending of new Set([...endings, name])) {
    const alike = removeRepeated(findResembling({ name: ending, version }, components, packages));
    const result = await resolveCandidates(index, alike);
    const meanings = 'resolved' in result ? [result.resolved] : result.choices;
    const spoken = endings.includes(ending) ? findOnlySpoken(alike)?.name : undefined;
    const meaning = meanings.find(({ details }) => details.component === spoken);
    if (meaning && findRelease(meaning.details.releases, version)) {
      return { item: { text, name: spoken, version }, didYouMean: [] };
    }

    const meant = listVersions(meanings);
    if (meant.length > 0) {
      return { didYouMean: meant };
    }
  }

  return { didYouMean: [] };
}

function listVersions(resolved: readonly Resolved[]): string[] {
  const versions: string[] = [];
  for (const { details, version = '' } of resolved) {
    const release = findRelease(details.releases, version);
    if (release || knowsVersion(details, version)) {
      versions.push(`${details.component}@${release?.version ?? version}`);
    }
  }
  return versions.slice(0, mostSuggestions);
}
