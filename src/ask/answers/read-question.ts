import type { Day } from '../../core/model/dates.ts';
import { cutStart } from '../../core/text/foreign-text.ts';
import { listEndings } from '../texts/guess-items.ts';
import { isVersion, listVersions } from '../texts/read-number.ts';
import {
  isExact,
  isNonEmpty,
  listExactMatches,
  listMatches,
  removeRepeated,
  type Candidate,
  type IndexNames,
  type Candidates,
  type Split,
} from './match-names.ts';
import { isQueryText, querySyntax, readPhrase } from './query-texts.ts';
import { createVersionQuery, joinAlternatives } from './range-query.ts';
import {
  cleanText,
  findNamed,
  listMentioned,
  readNameOrPackage,
  removeFillers,
  splitVersion,
  versionPart,
} from './read-name.ts';
import {
  createSpanQuery,
  isSpanOfTopic,
  readSpanQuestion,
  type SpanQuestion,
} from './read-span.ts';
import {
  listJoints,
  readVersions,
  type ListQuestion,
  type PairQuestion,
  type PairSide,
  type RangeQuestion,
} from './read-versions.ts';

/** The intention behind a text. */
export type Question =
  | (QuestionParts & { readonly kind: 'components'; readonly candidates: Candidates })
  /** Components of which a person chooses one, because the text has words that were not read. */
  | { readonly kind: 'choices'; readonly candidates: Candidates }
  | ListQuestion
  | PairQuestion
  /** A version, or two, of a component that the text does not name. `unread`: its other words. */
  | (UnnamedVersion & { readonly kind: 'version' })
  | QueryQuestion
  /** `name`: the part of the text in the position of a name. */
  | { readonly kind: 'unknown'; readonly name: string; readonly isPackage: boolean };

/** Asks for releases in the query language. */
export interface QueryQuestion extends RangeQuestion {
  /** The days that it is about. */
  readonly span?: SpanQuestion | undefined;
}

/** The parts of a question about a version besides its name. */
export interface QuestionParts {
  /** Words that were not read. */
  readonly unread?: string | undefined;
  /** Ids in capitals. */
  readonly advisories?: readonly string[] | undefined;
}

export interface UnnamedVersion extends QuestionParts {
  readonly version: string;
  readonly to?: string | undefined;
  readonly unread: string;
}

/** The id of an advisory, also with blanks. */
const advisoryForm = /\b(?:cve[\s-]\d{4}[\s-]\d+|ghsa(?:-\w{4}){3}|osv-\d{4}-\d+)\b/gi;

/** Words and signs between the two versions of an upgrade. Without a comparing word before them, `2025.1 and 2026.3` is a list. */
const upgradeJoint = String.raw`\s(?:to|up to|vs\.?|versus)\s|(?<=\b(?:between|compare|difference|from)\b.*)\sand\s|\s?-\s|[–—→]|->|=>|\.{3}`;

/** `2025.1 to 2026.3`, `between 2025.1 and 2026.3`. */
const upgradeForm = new RegExp(
  String.raw`(?:\b(?:from|between)\s+)?\b(${versionPart})\s*(?:${upgradeJoint})\s*(${versionPart})$`,
  'i',
);

/**
 * Finds what a person means, which is the first of these that fits:
 *
 * 1. an exact name, or a package
 * 2. a phrase that means a query
 * 3. a query with fields
 * 4. advisories
 * 5. an upgrade from one version to another
 * 6. exact names anywhere in the text: several versions, one version, a range, or a name without other words
 * 7. a span of days
 * 8. a comparison, such as `>=2025.1`, also behind an unknown name
 * 9. a similar name, or a copied package
 * 10. exact names among other words
 * 11. a version without a name
 * 12. any other query
 */
export function readQuestion(wholeText: string, names: IndexNames, day: Day): Question {
  const clean = cleanText(cutStart(wholeText));
  const exactNames = readNameOrPackage(clean, names);
  if (isNonEmpty(exactNames)) {
    return { kind: 'components', candidates: exactNames };
  }

  const query = readPhrase(clean) ?? (isQueryText(clean) ? clean : undefined);
  if (query !== undefined) {
    return { kind: 'query', query };
  }

  return (
    readAdvisories(clean, names, day) ??
    readUpgrade(clean, names, day) ??
    readVersions(clean, names) ??
    readSpan(clean, names, day) ??
    readUncertain(clean, names)
  );
}

/** Advisories, or whether they affect what the rest of the text names. */
function readAdvisories(text: string, names: IndexNames, day: Day): Question | undefined {
  const advisories = Array.from(text.matchAll(advisoryForm), ([id]) =>
    id.toUpperCase().replaceAll(/\s/g, '-'),
  );
  if (advisories.length === 0) {
    return undefined;
  }

  const question = readQuestion(text.replaceAll(advisoryForm, ' '), names, day);
  if (question.kind === 'components' || question.kind === 'version') {
    return { ...question, advisories };
  }

  const terms = advisories.map((id) => `advisory:${id}`);
  const { selected, unread } = listSelected(question);
  const query = `${joinAlternatives(selected)} ${joinAlternatives(terms)}`;
  return { kind: 'query', query: query.trim(), unread: unread || undefined };
}

/** The releases of a question as alternatives of a query, empty for all releases, and the words that these leave out. */
function listSelected(question: Question): { selected: string[]; unread?: string | undefined } {
  switch (question.kind) {
    case 'list': {
      const parts = [...question.texts, question.unread].filter(Boolean);
      return { selected: question.candidates.map(selectReleases), unread: parts.join(', ') };
    }
    case 'choices':
      return { selected: question.candidates.map(selectReleases) };
    case 'pair':
      return { selected: question.sides.map(selectReleases), unread: question.unread };
    case 'query':
      return isQueryText(question.query)
        ? { selected: [question.query], unread: question.unread }
        : { selected: [], unread: removeFillers(question.query) };
    default:
      return { selected: [], unread: 'name' in question ? removeFillers(question.name) : '' };
  }
}

function selectReleases({ name, version }: PairSide): string {
  const terms = [name && `component:${name}`, version && `version:${version}`];
  return terms.filter(Boolean).join(' ');
}

/**
 * A question about an upgrade from one version to another: `svc 2025.1 to 2026.3`. Years may be versions, too, but not in
 * `released between 2025 and 2026`.
 */
function readUpgrade(text: string, names: IndexNames, day: Day): Question | undefined {
  const [match, version = '', to = ''] = upgradeForm.exec(text) ?? [];
  if (match === undefined || !isVersion(version) || !isVersion(to)) {
    return undefined;
  }

  const before = text.slice(0, -match.length);
  // A text such as `svc 2025.1, 2025.2 and 2025.3` lists versions; its last two are not an upgrade.
  if (listVersions(before).length > 0) {
    return undefined;
  }
  if (isSpanOfTopic(before, [version, to], day)) {
    return readSpan(text, names, day);
  }

  const words = removeFillers(before.replaceAll(/["']/g, ' '));
  if (words === '') {
    return { kind: 'version', version, to, unread: '' };
  }

  const candidates = findNamed(words, names).map((each) => ({ ...each, version, to }));
  // `does agent work with svc 2025.1 to 2026.3`.
  if (candidates.filter(isExact).length > 1 && listJoints(before) !== '') {
    return undefined;
  }

  return isNonEmpty(candidates)
    ? { kind: 'components', candidates }
    : { kind: 'version', version, to, unread: words };
}

/** A question about days, of all components or of one that the text names exactly. */
function readSpan(text: string, names: IndexNames, day: Day): Question | undefined {
  const span = readSpanQuestion(text, day);
  if (!span) {
    return undefined;
  }
  if (span.names.length === 0) {
    return { kind: 'query', query: createSpanQuery(span), span };
  }

  const [owner] = span.names.flatMap((name) => listExactMatches(name, names));
  const named = owner && { ...span, component: owner.name };
  return named && { kind: 'query', query: createSpanQuery(named), span: named };
}

/** `>=2025.1`, `2025.1..2025.3`, `2025.1 or later`, but not `-> 2025.1`. */
const rangeForm = /(?<![-=])[<>~^]=?\s*v?\d|!=|\.\.|\d\+$|\d\sor\s/i;

/** Reads a text that has none of the surer meanings: a comparison, or what follows it in the list of `readQuestion`. */
function readUncertain(text: string, names: IndexNames): Question {
  const split = splitVersion(text);
  if (rangeForm.test(text)) {
    const query = createVersionQuery(text.replace(/^(?:versions?|releases?)\s*/i, ''));
    // Without a query, its bound is not a version, or it names something unknown.
    return query === undefined ? readUnknown(text, split) : { kind: 'query', query };
  }

  const question = readResembling(split, names) ?? readCopiedPackage(text, split, names);
  if (question) {
    return question;
  }

  // A person chooses between exact names among other words.
  const guesses = listGuesses(split, names);
  return isNonEmpty(guesses)
    ? { kind: 'choices', candidates: guesses }
    : (readBareVersion(split) ?? readUnknown(text, split));
}

/** A version of a component that the text does not name. After other words, a number without a dot may be a count: `5 releases`. */
function readBareVersion({ name, version }: Split): Question | undefined {
  const isSure = name === '' || version?.includes('.');
  return version !== undefined && isSure && isVersion(version)
    ? { kind: 'version', version, unread: name }
    : undefined;
}

function readUnknown(text: string, { name }: Split): Question {
  return querySyntax.test(text)
    ? { kind: 'query', query: text }
    : { kind: 'unknown', name: name || text, isPackage: false };
}

/** `pkg:npm/a`, `@a/b`, `org.a:b`, `a/b:1.0`, `id("a")`, `'a:b'`. */
const packageForm =
  /^(?:pkg:|@\w|[\w.-]+\.[\w.-]+:[\w.-]+|[\w.:-]+\/[\w./-]+)|\bid\(|["'][\w.-]+[:/][\w./:-]+["']/i;

/** Reads the last part of a package as a component, because images are copied to other registries; any other package is unknown. */
function readCopiedPackage(
  text: string,
  { name, version }: Split,
  names: IndexNames,
): Question | undefined {
  if (!packageForm.test(text)) {
    return undefined;
  }

  const imageName = name.slice(name.lastIndexOf('/') + 1);
  const guesses = listGuesses({ name: imageName, version }, names);
  return isNonEmpty(guesses) && guesses[0].name === imageName
    ? { kind: 'components', candidates: guesses }
    : { kind: 'unknown', name: text, isPackage: true };
}

/** The components with an exact name among the words of a name. */
function listGuesses({ name, version }: Split, names: IndexNames): Candidate[] {
  const mentioned = removeRepeated(listMentioned(name, names));
  return mentioned.map((each) => ({ ...each, version, reason: 'words' }));
}

/** The components that a name resembles as a whole, or else by its last words. */
function readResembling({ name, version }: Split, names: IndexNames): Question | undefined {
  const endings = listEndings(name).filter((each) => /\s/.test(each));
  for (const each of [name, ...endings]) {
    const candidates = listMatches({ name: each, version }, names);
    if (isNonEmpty(candidates)) {
      const unread = each === name ? undefined : name.slice(0, name.lastIndexOf(each)).trim();
      return { kind: 'components', candidates, unread };
    }
  }

  return undefined;
}
