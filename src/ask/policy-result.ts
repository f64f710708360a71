/**
 * Judges the entries of a user's list, such as a lock file or an SBOM, by scan policies. Uses only published facts. Pages run this file, so
 * it imports neither zod nor Node.
 */
import { describeRange } from '../core/day.ts';
import { pick } from '../core/objects.ts';
import { endKeys, knownWords } from '../core/phrases.ts';
import type { ComponentFreshness, Status, Verdict } from '../core/schema/documents.ts';
import { formatList, quote } from '../core/text.ts';
import { isPrereleaseForm, parseVersion } from '../core/version.ts';
import { advisoryFields, listTerms } from './query/hints.ts';
import { judgeRow, type Values } from './query/match.ts';
import { parseQuery, type Query } from './query/parse.ts';
import { releaseFields } from './query/release-fields.ts';

/**
 * Lists the possible results of a scan policy:
 * - `cannot-tell`: the policy applies, but a fact that it needs is unknown
 * - `does-not-apply`: the component has no such facts
 * - `not-released`: the version is later than all known release lines, but may have been released since the build
 */
export const outcomes = [
  'satisfied',
  'unsatisfied',
  'cannot-tell',
  'does-not-apply',
  'not-released',
] as const;
export type Outcome = (typeof outcomes)[number];

/** The result of a scan policy for one entry of the user's list. */
export interface Result {
  readonly outcome: Outcome;
  /** Why the policy cannot decide, or does not apply. */
  readonly cause?: Cause;
}

/**
 * Why a policy cannot decide or does not apply, as the end of a sentence.
 * - `one`: for one entry, such as `is a prerelease`
 * - `many`: for several entries, such as `are prereleases`
 */
interface Cause {
  readonly subject: 'advisories' | 'end' | 'fact';
  readonly one: string;
  readonly many: string;
}

/** The published facts about an entry of the user's list, and about its component. */
export interface Facts {
  readonly verdict: Pick<Verdict, 'state' | 'lines' | 'isSupported' | 'mayBePatched'>;
  /** The values of the query fields. The value of an absent field is unknown. */
  readonly row: Values;
  readonly mayMiss?: ComponentFreshness['mayMiss'];
  /** Tells whether a field is known for any other release of the component. */
  isKnown(field: string): boolean;
}

const endFields = ['isSupported', 'supportedUntil', 'supportedUntilAtMost', 'supportLeft', 'phase'];

/**
 * Judges an entry by a scan policy. For unknown facts, the result is:
 * - `cannot-tell`, if the facts could change the result
 * - `does-not-apply`, if the component never has such facts, for example because no source lists its advisories
 */
export function judgePolicy(query: Query, facts: Facts): Result {
  const { state, lines = [], isSupported } = facts.verdict;
  // The index may lack a release that came out this morning. A lock file that names this release must not fail.
  if (state === 'not-released') {
    return { outcome: 'not-released' };
  }

  const result = judgeRelease(query, facts);
  const isCertain = result.outcome === 'unsatisfied' && isSupported === false;
  return lines.length > 1 && !isCertain && result.outcome !== 'does-not-apply'
    ? cannotTell('fact', `may be any of ${formatList(lines, 5)}`)
    : result;
}

function judgeRelease(query: Query, facts: Facts): Result {
  const row = hideNewWords(hideUnchecked(facts));
  const isSatisfied = judgeRow(query, row);
  if (isSatisfied !== undefined) {
    return { outcome: isSatisfied ? 'satisfied' : 'unsatisfied' };
  }

  const results = [...listTerms(query)]
    .filter(({ test }) => !('isKnown' in test))
    .flatMap(({ fields }) => fields.map(({ name }) => name))
    .filter((field) => row[field] === undefined)
    .map((field) => explainUnknown(field, row, facts));
  // `results` is not empty, because at least one unknown field has made the query's result unknown.
  return results.find(({ outcome }) => outcome === 'cannot-tell') ?? results[0]!;
}

/**
 * Removes the values of advisory fields while the advisory source is silent, because newer advisories may be missing. A release that is
 * known to be vulnerable keeps its values.
 */
function hideUnchecked({ row, mayMiss }: Facts): Values {
  const isUnchecked = mayMiss?.includes('advisories') && row['isVulnerable'] !== true;
  const hidden = advisoryFields.map((field) => [field, undefined]);
  return isUnchecked ? { ...row, ...Object.fromEntries(hidden) } : row;
}

/** Removes the words that a later version of the program has added, because this version does not know what they mean. */
function hideNewWords(row: Values): Values {
  const hidden = Object.keys(knownWords).filter((field) => isNewWord(field, row[field]));
  return { ...row, ...Object.fromEntries(hidden.map((field) => [field, undefined])) };
}

function isNewWord(field: string, value: unknown): boolean {
  const words = knownWords[field as keyof typeof knownWords] as readonly string[] | undefined;
  return typeof value === 'string' && words?.includes(value) === false;
}

function explainUnknown(field: string, row: Values, facts: Facts): Result {
  const { mayMiss = [], verdict } = facts;
  const word = facts.row[field];
  if (isNewWord(field, word)) {
    return cannotTell('fact', `has the ${field} ${quote(String(word))} of a later version`);
  }
  if (verdict.mayBePatched && vendorFields.includes(field)) {
    return cannotTell('end', 'may be patched longer by a distribution');
  }
  if (advisoryFields.includes(field)) {
    return mayMiss.includes('advisories')
      ? cannotTell('advisories', 'cannot be checked, because the source of advisories is silent')
      : judgeUnknown(facts, field, 'advisories', 'no source of advisories');
  }
  if (!endFields.includes(field)) {
    return judgeUnknown(facts, field, 'fact', `no known ${field}`);
  }

  const { isPrerelease, isSupported, supportedUntil: from, supportedUntilAtMost: atMost } = row;
  if (isPrerelease === true) {
    const cause = { subject: 'end', one: 'is a prerelease', many: 'are prereleases' } as const;
    return { outcome: 'does-not-apply', cause };
  }
  if (isSupported === undefined && atMost !== undefined) {
    const range = { from, atMost } as { from: string | undefined; atMost: string };
    return cannotTell('end', `may have ended ${describeRange(range)}`);
  }
  if (mayMiss.includes('ends')) {
    return cannotTell('end', 'may have ended, because the source of its end is silent');
  }
  if (isSupported === false) {
    return cannotTell('end', 'ended on an unknown day');
  }
  // If `isSupported` is unknown, the release has no stated end of support. Its other fields about the end are then unknown, too.
  return isSupported === undefined
    ? { outcome: 'does-not-apply', cause: lack('end', 'no stated end of support') }
    : judgeUnknown(facts, field, 'end', `no known ${field}`);
}

/** The fields that depend on the vendor's end of support. */
const vendorFields = [...endFields, 'state', 'isDeprecated', 'deprecatedSince', 'isInferred'];

/** Removes the values that say when support by the vendor has ended, if a distribution may patch the package longer. */
export function hideVendorEnd(row: Values, { mayBePatched }: Facts['verdict']): Values {
  const hidden = vendorFields.map((field) => [field, undefined]);
  return mayBePatched ? { ...row, ...Object.fromEntries(hidden) } : row;
}

/** Lists the query fields that a verdict contains. An unlisted version has the facts of its release line. */
export function listVerdictFacts(verdict: Verdict): Values {
  const { version, isListed, isSupported, advisories, moveReason = '' } = verdict;
  // Undefined for a codename, because it is not a version.
  const parsed = parseVersion(version);
  const isBad = isSupported === false || ['deprecated', 'withdrawn'].includes(moveReason);
  const row = {
    ...pick(verdict, endKeys),
    version,
    line: verdict.line,
    isSupported,
    isDeprecated: isListed ? verdict.isDeprecated : isBad,
    isPrerelease: isListed
      ? verdict.isPrerelease === true
      : parsed !== undefined && isPrereleaseForm(parsed),
    isVulnerable: advisories && advisories.length > 0,
  };
  return hideVendorEnd(row, verdict);
}

function cannotTell(subject: Cause['subject'], words: string): Result {
  return { outcome: 'cannot-tell', cause: { subject, one: words, many: words } };
}

function lack(subject: Cause['subject'], noun: string): Cause {
  return { subject, one: `has ${noun}`, many: `have ${noun}` };
}

/** Returns the result for an unknown field. The policy does not apply if no release of the component has this field. */
function judgeUnknown(
  { isKnown }: Facts,
  field: string,
  subject: Cause['subject'],
  noun: string,
): Result {
  const outcome = isKnown(field) ? 'cannot-tell' : 'does-not-apply';
  return { outcome, cause: lack(subject, noun) };
}

/** An entry of the user's list, with the result of a scan policy. */
export interface Judgement {
  readonly text: string;
  readonly result: Result;
}

/**
 * Describes the results of a scan policy. Undefined if there are none. For example:
 *
 *     supported: 4 satisfied, 1 cannot tell (svc 1.0 may have ended on or before 2026-11-30).
 */
export function describeResults(
  policy: string,
  judgements: readonly Judgement[],
): string | undefined {
  const byOutcome = Map.groupBy(judgements, ({ result }) => result.outcome);
  const take = (outcome: Outcome) => byOutcome.get(outcome) ?? [];
  const count = (outcome: Outcome, words: string, describe: typeof listNames) => {
    const found = take(outcome);
    const detail = describe(found);
    return found.length > 0 ? [`${found.length} ${words}${detail && ` (${detail})`}`] : [];
  };
  const parts = [
    ...count('satisfied', 'satisfied', () => ''),
    ...count('unsatisfied', 'failed', () => ''),
    ...count('not-released', 'not released yet', listNames),
    ...count('cannot-tell', 'cannot tell', describeCauses),
  ];
  const groups = groupByCause(take('does-not-apply')).map(describeGroup);
  const described = [parts.join(', '), ...groups].filter(Boolean);
  return described.length > 0 ? `${policy}: ${described.join('; ')}.` : undefined;
}

function listNames(judgements: readonly Judgement[]): string {
  const names = judgements.map(({ text }) => text);
  return formatList(names, 20);
}

function groupByCause(judgements: readonly Judgement[]) {
  return [...Map.groupBy(judgements, ({ result }) => result.cause?.many ?? '').values()];
}

/** Returns `a 1.0, b 1.0 may have ended on or before 2026-11-30; c 1.0 has no known phase`. */
function describeCauses(judgements: readonly Judgement[]): string {
  const groups = groupByCause(judgements).map((group) => {
    const { cause } = group[0]!.result;
    return `${listNames(group)} ${group.length === 1 ? cause!.one : cause!.many}`;
  });
  return groups.join('; ');
}

/** Returns `does not apply to 2 entries, which have no source of advisories: a 1.0, b 1.0`. */
function describeGroup(group: readonly Judgement[]): string {
  const { cause } = group[0]!.result;
  const entries = group.length === 1 ? '1 entry' : `${group.length} entries`;
  const words = group.length === 1 ? cause!.one : cause!.many;
  return `does not apply to ${entries}, which ${words}: ${listNames(group)}`;
}

/** Says in a sentence why a policy cannot decide or does not apply. Undefined if the result is certain. */
export function explainResult({ outcome, cause }: Result): string | undefined {
  if (outcome === 'not-released') {
    return 'It may have been released since the build of the index.';
  }
  if (!cause) {
    return undefined;
  }

  return outcome === 'cannot-tell'
    ? `The policy cannot tell: the entry ${cause.one}.`
    : `The policy does not apply: the entry ${cause.one}.`;
}

/** The queries of the policies that `scan` applies by default. */
export const usualPolicies: Readonly<Record<string, string>> = {
  supported: 'isSupported not isDeprecated',
  secure: 'not isVulnerable',
};

interface JudgedEntry {
  readonly item: { readonly text: string };
  readonly match: { readonly component: string; readonly verdict: Verdict };
}

/** Judges entries by the default policies, from their verdicts. `components`: the components in `status.json`. */
export function judgeUsual<E extends JudgedEntry>(
  entries: readonly E[],
  components: Status['components'],
) {
  return Object.entries(usualPolicies).map(([name, text]) => {
    const query = parseQuery(text, releaseFields, 0);
    const results = entries.map((entry) => {
      const { component, verdict } = entry.match;
      const mayMiss = components[component]?.mayMiss;
      const facts = { verdict, row: listVerdictFacts(verdict), mayMiss, isKnown: () => false };
      return { entry, text: entry.item.text, result: judgePolicy(query, facts) };
    });
    return { name, results };
  });
}

/** Describes the entries for which the result of a default policy is uncertain. */
export function describeDoubts(judged: ReturnType<typeof judgeUsual>): string[] {
  return judged.flatMap(({ name, results }) => {
    const doubts = results.filter(({ result: { outcome } }) => !certain.includes(outcome));
    return describeResults(name, doubts) ?? [];
  });
}

const certain: readonly Outcome[] = ['satisfied', 'unsatisfied'];
