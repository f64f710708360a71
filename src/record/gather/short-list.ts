import type { Day } from '../../core/model/dates.ts';
import { rankKey, type Version } from '../../core/model/version.ts';
import type { Freshness } from '../../core/schemas/recorded/freshness.ts';
import type { RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { createDecisionId, type WaitingChange } from '../gate/rules/waiting-change.ts';
import type { Answered } from './ask-source.ts';
import { listSourceVersions } from './recorded-versions.ts';

/** A component as recorded before the run. */
export interface RecordedComponent {
  component: string;
  releases: readonly RecordedRelease[];
  freshness: Freshness;
}

/** Shorter lists are not compared: each new release may replace the one before. */
const shortestList = 3;

/**
 * Finds an answer that lists nothing, or less than half of the last list. Missing versions stay until a person accepts the
 * shorter list. New versions do not change the decision.
 */
export function findShortList(
  recorded: RecordedComponent,
  answer: Answered,
  day: Day,
): WaitingChange | undefined {
  const { component, freshness } = recorded;
  const { id: source, fingerprint, listsSome = false } = answer;
  // Without a recorded definition, the list is compared.
  const { definition = fingerprint } = freshness.sources[source] ?? {};
  const { lastCount, count, isEmpty, missing } = compareLists(recorded, answer);

  const isComparable = definition === fingerprint && !listsSome && lastCount >= shortestList;
  const isHalved = isComparable && count * 2 < lastCount;
  if (lastCount === 0 || !(isEmpty || isHalved)) {
    return undefined;
  }

  // Names that are only counted may all be new.
  const reason =
    missing || count === 0
      ? `${source} lists ${count === 0 ? 'none' : count} of the ${lastCount} that it listed last`
      : `${source} lists ${count} names, but listed ${lastCount} last`;
  const loss = missing?.toSorted() ?? lastCount;
  return {
    id: createDecisionId(component, ['short list', source, loss]),
    component,
    kind: 'list',
    since: day,
    causes: [source],
    reason,
    items: missing ?? [reason],
  };
}

/** A list, compared with the last one of the same source. */
interface Comparison {
  /** The number of names in the last list. */
  lastCount: number;
  /** The number of these names that are still listed; of all present names, where only their number is recorded. */
  count: number;
  isEmpty: boolean;
  /** The recorded versions that are missing, oldest first; undefined where only the number of names is recorded. */
  missing?: string[];
}

function compareLists(
  { releases: recorded, freshness }: RecordedComponent,
  answer: Answered,
): Comparison {
  const { id, ranks } = answer;
  const { answeredOn, names: lastNames } = freshness.sources[id] ?? {};

  // While a list is short, releases still come in: the measure is the last list that was accepted.
  const lastList = recorded.filter(
    ({ firstSeen = '' }) => answeredOn === undefined || firstSeen <= answeredOn,
  );
  const lastVersions = listSourceVersions(lastList, id);
  const names = countNames(answer);
  if (names !== undefined) {
    return { lastCount: lastNames ?? lastVersions.length, count: names, isEmpty: names === 0 };
  }

  // A listed version counts even if the definition no longer admits it.
  const isListed = (version: Version) => ranks.has(rankKey(version));
  // Releases that came later are lost, too, if the short list is accepted.
  const missing = listSourceVersions(recorded, id).filter((version) => !isListed(version));
  return {
    lastCount: lastVersions.length,
    count: lastVersions.filter(isListed).length,
    isEmpty: ranks.size === 0,
    missing: missing.map(({ text }) => text),
  };
}

/** The number of names of a source of lines, or of one whose answers are partial. Of other sources, the versions are compared. */
export function countNames({ isPartial, lines, advisories, ranks }: Answered): number | undefined {
  if (lines) {
    return lines.length;
  }
  if (!isPartial) {
    return undefined;
  }

  // A catalogue grows every week, and recorded freshness changes only with news: two digits are enough.
  return advisories ? Number(advisories.byId.size.toPrecision(2)) : ranks.size;
}
