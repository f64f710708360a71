import { QuestionError } from '../../core/query/question-error.ts';
import { knowsVersion } from './find-release.ts';
import { findOnlySpoken, isExact, type Candidate, type Split } from './match-names.ts';
import type { PublishedIndex } from './published-index.ts';
import { maxChoices, resolveCandidate, type NameSource, type Resolved } from './resolve.ts';

/**
 * The component that a person means. A component fits if it has the version, or if the text has none:
 *
 * 1. the one with the only exact name, or else the only spoken name, if it fits
 * 2. the only one that fits
 * 3. the one with the only exact name
 *
 * `choices`: only that component, or without one those to choose from, which fit if any does, the likeliest first.
 */
export async function chooseComponent(
  source: NameSource,
  candidates: readonly Candidate[],
): Promise<{ resolved?: Resolved; choices: readonly Resolved[] }> {
  const [exact, anotherExact] = candidates.filter(isExact);
  const likeliest = anotherExact ? undefined : (exact ?? findOnlySpoken(candidates));
  const resolved = likeliest && (await resolveCandidate(source, likeliest));
  if (resolved && isFitting(resolved)) {
    return { resolved, choices: [resolved] };
  }

  const { likely, isComplete } = await limitCandidates(source, candidates);
  const choices = await Promise.all(likely.map((each) => resolveCandidate(source, each)));
  const fitting = choices.filter(isFitting);
  const [choice, another] = fitting;
  if (choice && !another && isComplete) {
    return { resolved: choice, choices: fitting };
  }
  if (resolved && exact) {
    return { resolved, choices: [resolved] };
  }

  // One that was left out may fit as well as the only one here.
  return { choices: fitting.length > (isComplete ? 0 : 1) ? fitting : choices };
}

function isFitting({ details, version }: Resolved): boolean {
  return version === undefined || knowsVersion(details, version);
}

/**
 * As many candidates as a person gets to choose from: of more, those that have the version, if any has it. `isComplete`: whether no
 * other can have it.
 */
async function limitCandidates(source: NameSource, candidates: readonly Candidate[]) {
  const version = candidates[maxChoices]?.version;
  const owners = version === undefined ? [] : ((await source.searchVersion?.(version)) ?? []);
  const fitting = candidates.filter(({ name }) => owners.includes(name));
  const likely = (fitting.length > 0 ? fitting : candidates).slice(0, maxChoices);
  return { likely, isComplete: fitting.length > 0 || candidates.length <= maxChoices };
}

/** A version without a name. `unread`: the other words of its text. */
interface BareVersion extends Pick<Split, 'to'> {
  readonly version: string;
  readonly unread?: string | undefined;
}

/**
 * The components that have a version. If the text has other words, which may name something else, a version of several components
 * gives none of them. Throws a `QuestionError` if no component has the version, and the text has no other words.
 */
export async function searchCandidates(
  index: Pick<PublishedIndex, 'searchVersion'>,
  { version, to, unread = '' }: BareVersion,
): Promise<Candidate[]> {
  const names = await index.searchVersion(version);
  if (names.length === 0 && unread === '') {
    throw new QuestionError('unknown', `No component of this index has a version ${version}.`);
  }

  return unread !== '' && names.length > 1
    ? []
    : names.map((name) => ({ name, version, to, reason: 'words' }));
}
