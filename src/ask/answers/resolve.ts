import { nameReleaseLine, parseVersion } from '../../core/model/version.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import type { Expression } from '../../core/text/expression.ts';
import { quote, cutStart } from '../../core/text/foreign-text.ts';
import { formatCount, formatList } from '../../core/text/wording.ts';
import type { AnswerIndex } from './answer-index.ts';
import type { DetailsOn } from './component-on.ts';
import { knowsVersion } from './find-release.ts';
import { suggestComponents, findOnlySpoken, type Candidate, type Owner } from './match-names.ts';
import type { PublishedIndex } from './published-index.ts';
import { readNameOrPackage } from './read-name.ts';

/** Finds components by their names. */
export interface NameSource extends Pick<AnswerIndex, 'names' | 'details'> {
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
  const asksVersion = candidates.some(({ version }) => version !== undefined);
  const isFitting = ({ details, version }: Resolved) =>
    !asksVersion || (version !== undefined && knowsVersion(details, version));

  const likeliest = anotherExact ? undefined : (exact ?? findOnlySpoken(candidates));
  const resolved = likeliest && (await resolveCandidate(source, likeliest));
  if (resolved && isFitting(resolved)) {
    return { resolved };
  }

  const results = await Promise.all(
    candidates.slice(0, maxChoices).map((candidate) => resolveCandidate(source, candidate)),
  );
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

/** The components of an index that have a version, or else its line. */
export async function listComponentsWith(
  index: PublishedIndex,
  version: string,
): Promise<string[]> {
  const versions = await index.versions();
  for (const text of listIdentifyingTexts(version)) {
    const owners = [...versions].filter(([, listed]) => knowsVersion(listed, text));
    if (owners.length > 0) {
      return owners.map(([component]) => component);
    }
  }

  return [];
}

/** The texts by which to find the components of a version without a name: the version itself, then its release line. */
export function listIdentifyingTexts(version: string): string[] {
  const parsed = parseVersion(version);
  return parsed && parsed.groups.length > 2 ? [version, nameReleaseLine(parsed, 2)] : [version];
}

/** The components that a version without a name may mean. `to`: the version to move to. */
export async function searchCandidates(
  index: PublishedIndex,
  version: string,
  to?: string,
): Promise<Candidate[]> {
  const names = await listComponentsWith(index, version);
  return names.map((name) => ({ name, version, to, reason: 'words' }));
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
