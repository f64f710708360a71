import { QuestionError } from '../../core/query/question-error.ts';
import { quote, cutStart } from '../../core/text/foreign-text.ts';
import { formatCount, formatList } from '../../core/text/wording.ts';
import { createMissingDocumentError, type AnswerIndex } from './answer-index.ts';
import type { DetailsOn } from './component-on.ts';
import { isExact, suggestComponents, type Candidate, type Owner } from './match-names.ts';
import type { PublishedIndex } from './published-index.ts';
import { readNameOrPackage, splitVersion } from './read-name.ts';

/** Finds components by their names, and where it can be searched, by a version. */
export type NameSource = Pick<AnswerIndex, 'names' | 'details'> &
  Partial<Pick<PublishedIndex, 'searchVersion'>>;

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

/** A note on words that were not read is more important than one on how the name was read. */
export function noteUnread(resolved: Resolved, unread: string | undefined): Resolved {
  return unread ? { ...resolved, note: describeUnread(unread) } : resolved;
}

/** Maximum number of names in `didYouMean`, and of choices for a person. */
export const maxChoices = 7;

/** The component with exactly this name, title, alias, package or former name. Throws a `QuestionError`. */
export async function requireComponent(source: NameSource, text: string): Promise<DetailsOn> {
  const { details, version } = await resolveExact(source, text);
  if (version !== undefined) {
    throw createUnknownNameError(cutStart(text), [details.component]);
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

  const names = await source.names();
  const candidates = readNameOrPackage(text.trim(), names);
  const [candidate, another] = candidates;
  if (another) {
    throw createAmbiguityError(
      text,
      candidates.map(({ name }) => name),
    );
  }
  if (!candidate) {
    const { components } = names;
    const { name } = splitVersion(text);
    const didYouMean = suggestComponents(name, components).slice(0, maxChoices);
    const size = `The index has ${formatCount(components.length, 'component')}.`;
    throw createUnknownNameError(text, didYouMean, size);
  }

  return resolveCandidate(source, candidate);
}

/** The error for a text that several components answer to. */
export function createAmbiguityError(text: string, names: readonly string[]): QuestionError {
  const several = `${formatCount(names.length, 'component')}: ${formatList(names, 10)}`;
  return new QuestionError('unknown', `${quote(text)} can mean ${several}. Name one.`, {
    didYouMean: names,
  });
}

/** The error for a text that names no component. `hint`: a further sentence. */
export function createUnknownNameError(
  text: string,
  didYouMean: readonly string[] = [],
  hint?: string,
): QuestionError {
  const [nearest] = didYouMean;
  const sentences = [
    `${quote(text)} names no component of this index.`,
    nearest && `Did you mean ${quote(nearest)}?`,
    hint,
  ];
  const message = sentences.filter(Boolean).join(' ');
  return new QuestionError('unknown', message, { didYouMean });
}

/** The component of a candidate, and its version. Throws a `QuestionError` if the index lacks its document. */
export async function resolveCandidate(
  source: NameSource,
  candidate: Candidate,
): Promise<Resolved> {
  const { name, version, to } = candidate;
  const details = await source.details(name);
  if (!details) {
    throw createMissingDocumentError(`details/${name}.json`);
  }

  const convert = async (written?: string) =>
    written && (await toComponentVersion(candidate, written));
  const note = isExact(candidate) ? undefined : `Read as ${details.title}.`;
  return { details, version: await convert(version), to: await convert(to), note };
}

/** The version of a component from the version of its package: the same without `extractVersion`. */
export async function toComponentVersion(
  { extractVersion }: Pick<Owner, 'extractVersion'>,
  packageVersion: string,
): Promise<string> {
  if (extractVersion === undefined) {
    return packageVersion;
  }

  // Loaded only if needed: few packages have an expression, and each page and each isolate of the host would load the engine.
  const { compileExpression } = await import('../../core/text/expression.ts');
  const groups = compileExpression(extractVersion).match(packageVersion);
  return groups?.['version'] ?? packageVersion;
}
