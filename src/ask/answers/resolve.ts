import { QuestionError } from '../../core/query/question-error.ts';
import type { Expression } from '../../core/text/expression.ts';
import { quote, cutStart } from '../../core/text/foreign-text.ts';
import { formatCount, formatList } from '../../core/text/wording.ts';
import type { AnswerIndex } from './answer-index.ts';
import type { DetailsOn } from './component-on.ts';
import { knowsVersion } from './find-release.ts';
import {
  suggestComponents,
  findOnlySpoken,
  type Candidate,
  type Owner,
  type Split,
} from './match-names.ts';
import type { PublishedIndex } from './published-index.ts';
import { readNameOrPackage } from './read-name.ts';

/** Finds components by their names, and where it can be searched, by a version. */
export interface NameSource
  extends Pick<AnswerIndex, 'names' | 'details'>, Partial<Pick<PublishedIndex, 'searchVersion'>> {
  /** Replaces the regular expression engine for `extractVersion`. */
  compile?(pattern: string): Pick<Expression, 'match'>;
}

/** A component and the versions in a question about it. */
export interface Resolved {
  readonly details: DetailsOn;
  /** Absent if the text names no version. */
  readonly version?: string | undefined;
  readonly to?: string | undefined;
  /** Says how the text was read, if the name is not exact. */
  readonly note?: string | undefined;
}

/** A note on words of a question that were not read. */
export function describeUnread(words: string): string {
  return `Not read: ${quote(words)}.`;
}

/** Maximum number of choices for a person. */
export const maxChoices = 7;

/** The component with exactly this name, title, alias, package or former name. Throws a `QuestionError`. */
export async function requireComponent(source: NameSource, text: string): Promise<DetailsOn> {
  const { details, version } = await resolveExact(source, text);
  if (version !== undefined) {
    throw await createUnknownNameError(source, text);
  }

  return details;
}

/** The component that a text names exactly, with or without a version; never guesses. Throws a `QuestionError`. */
export async function resolveExact(source: NameSource, wholeText: string): Promise<Resolved> {
  const text = cutStart(wholeText);

  // A name of a component needs no list of all names.
  const details = await source.details(text);
  if (details) {
    return { details };
  }

  const candidates = readNameOrPackage(text.trim(), await source.names());
  const [candidate, another] = candidates;
  if (another) {
    const names = candidates.map(({ name }) => name);
    throw createAmbiguityError(text, names);
  }

  const resolved = candidate && (await resolveCandidate(source, candidate));
  if (!resolved) {
    throw await createUnknownNameError(source, text);
  }

  return resolved;
}

/** The error for a text that several components answer to. */
export function createAmbiguityError(text: string, names: readonly string[]): QuestionError {
  const several = `${formatCount(names.length, 'component')}: ${formatList(names, 10)}`;
  return new QuestionError('unknown', `${quote(text)} can mean ${several}. Name one.`, {
    didYouMean: names,
  });
}

/**
 * The component that a person means. A component fits if it has the version, or if the text has none:
 *
 * 1. the one with the only exact name, or else the only spoken name, if it fits
 * 2. the only one that fits
 * 3. the one with the only exact name
 *
 * Otherwise the components to choose from, which fit if any does, the likeliest first.
 */
export async function resolveCandidates(
  source: NameSource,
  candidates: readonly Candidate[],
): Promise<{ resolved: Resolved } | { choices: readonly Resolved[] }> {
  const [exact, anotherExact] = candidates.filter(isExact);
  const likeliest = anotherExact ? undefined : (exact ?? findOnlySpoken(candidates));
  const resolved = likeliest && (await resolveCandidate(source, likeliest));
  if (resolved && isFitting(resolved)) {
    return { resolved };
  }

  const likely = await limitCandidates(source, candidates);
  const results = await Promise.all(likely.map((each) => resolveCandidate(source, each)));
  const choices = results.filter((each) => each !== undefined);
  const fitting = choices.filter(isFitting);
  const [choice, another] = fitting;
  if (choice && !another) {
    return { resolved: choice };
  }
  if (resolved && exact) {
    return { resolved };
  }

  return { choices: fitting.length > 0 ? fitting : choices };
}

function isFitting({ details, version }: Resolved): boolean {
  return version === undefined || knowsVersion(details, version);
}

/** As many candidates as a person gets to choose from: of more, those that have the version, if any has it. */
async function limitCandidates(
  source: NameSource,
  candidates: readonly Candidate[],
): Promise<readonly Candidate[]> {
  const version = candidates[maxChoices]?.version;
  const owners = version === undefined ? [] : ((await source.searchVersion?.(version)) ?? []);
  const fitting = candidates.filter(({ name }) => owners.includes(name));
  return (fitting.length > 0 ? fitting : candidates).slice(0, maxChoices);
}

export function isExact({ reason }: Candidate): boolean {
  return reason === 'name' || reason === 'package';
}

async function resolveCandidate(
  source: NameSource,
  candidate: Candidate,
): Promise<Resolved | undefined> {
  const { name, version, to } = candidate;
  const details = await source.details(name);
  if (!details) {
    return undefined;
  }

  const note = isExact(candidate) ? undefined : `Read as ${details.title}.`;
  return {
    details,
    version: version && (await toComponentVersion(candidate, version, source)),
    to,
    note,
  };
}

/** A version without a name. `unread`: the other words of its text. */
interface BareVersion extends Pick<Split, 'to'> {
  readonly version: string;
  readonly unread?: string | undefined;
}

/** The components that have a version without a name. Beside words that were not read, only one that is the only one to have it. */
export async function searchCandidates(
  index: Pick<PublishedIndex, 'searchVersion'>,
  { version, to, unread = '' }: BareVersion,
): Promise<Candidate[]> {
  const names = await index.searchVersion(version);
  return unread !== '' && names.length > 1
    ? []
    : names.map((name) => ({ name, version, to, reason: 'words' }));
}

export function createMissingVersionError(version: string): QuestionError {
  return new QuestionError('unknown', `No component of this index has a version ${version}.`);
}

async function createUnknownNameError(source: NameSource, text: string): Promise<QuestionError> {
  const { components } = await source.names();
  const name = cutStart(text)
    .replace(/[\s@:=_/-]+v?\d\S*$/i, '')
    .trim();
  const didYouMean = suggestComponents(name, components).slice(0, maxChoices);
  const hint = didYouMean[0] === undefined ? '' : ` Did you mean ${quote(didYouMean[0])}?`;
  const size = `The index has ${formatCount(components.length, 'component')}.`;
  return new QuestionError('unknown', `There is no component ${quote(text)}.${hint} ${size}`, {
    didYouMean,
  });
}

/** The version of a component from the version of its package: the same without `extractVersion`. */
export async function toComponentVersion(
  { extractVersion }: Pick<Owner, 'extractVersion'>,
  packageVersion: string,
  { compile }: Pick<NameSource, 'compile'> = {},
): Promise<string> {
  if (extractVersion === undefined) {
    return packageVersion;
  }

  // Loaded only if needed: few packages have an expression, and each isolate of the host would load the engine.
  const expression =
    compile?.(extractVersion) ??
    (await import('../../core/text/expression.ts')).compileExpression(extractVersion);
  return expression.match(packageVersion)?.['version'] ?? packageVersion;
}
