import { findRelease } from '../answers/find-release.ts';
import { resembling, unique } from '../answers/match-names.ts';
import { decide, knowsVersion, type NameSource } from '../answers/resolve.ts';
import type { Item } from './items.ts';
import { mostMeant, splitLine } from './split-line.ts';

// Guesses for people, about lines of a text that name nothing of the index exactly.

export interface GuessSource extends NameSource {
  /** The components that have a version. */
  searchVersion(version: string): Promise<readonly string[]>;
}

/** `Maven agent 1.21`: words of the name and the title of one component, which lists the version. One word may name anything. */
export async function readSpokenName(index: NameSource, text: string): Promise<Item | undefined> {
  const { name, version } = splitLine(text);
  if (version === undefined || !/^\p{L}+(?: +\p{L}+)+$/u.test(name)) {
    return undefined;
  }

  const alike = resembling({ name }, await index.named(), await index.packages());
  const [owner, another] = alike.filter(({ reason }) => reason === 'words');
  const details = owner && !another ? await index.details(owner.name) : undefined;
  return details && findRelease(details.releases, version)
    ? { text, name: details.component, version }
    : undefined;
}

/** A line of a list that is a version only. A number may count anything. */
const bareVersion = /^[\s\-+*•"'`]*v?\d+(?:\.\w+)+(?:-[\w.]+)?["'`,;\s]*$/i;

/** The components with resembling names that know the version of a line. */
export async function guessMeant(index: GuessSource, text: string): Promise<string[]> {
  const { name, version } = splitLine(text);
  if (version !== undefined && bareVersion.test(text)) {
    const components = await index.searchVersion(version);
    return components.length > mostMeant
      ? []
      : components.map((component) => `${component}@${version}`);
  }

  if (name === '' || version === undefined) {
    return [];
  }

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
