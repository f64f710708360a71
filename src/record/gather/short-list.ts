import type { Day } from '../../core/model/dates.ts';
import { rankKey } from '../../core/model/version.ts';
import type { SourceFreshness } from '../../core/schemas/recorded/freshness.ts';
import type { RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { createDecisionId, type WaitingChange } from '../gate/rules/decision-id.ts';
import type { Answered } from './ask-source.ts';
import { listedBefore } from './recorded-release.ts';

/** A short list that a person has accepted. */
export interface AcceptedList {
  readonly source: string;
  readonly id: string;
  /** The versions that the decision withdrew. */
  readonly withdrawn: readonly string[];
}

interface Recorded {
  readonly component: string;
  readonly recorded: readonly RecordedRelease[];
  readonly freshness: SourceFreshness | undefined;
  readonly day: Day;
}

/** A shorter list is no measure: each new release may take the place of the one before. */
const leastMeasure = 3;

/**
 * How many names a source of ends lists, or one that only adds. What others list is recorded. A catalogue is counted in two
 * digits: it grows every week, and the memory of runs changes only with news.
 */
export function countNames({ onlyAdds, lines, advisories, listed }: Answered): number | undefined {
  if (lines) {
    return lines.length;
  }

  const names = advisories ? Number(advisories.byId.size.toPrecision(2)) : listed.size;
  return onlyAdds ? names : undefined;
}

/**
 * Finds an answer that lists nothing, or less than half of what its source listed last. What it lacks stays until a person accepts
 * the list as the measure of its source. New versions do not change the decision.
 */
export function findShortList(
  answer: Answered,
  { component, recorded, freshness, day }: Recorded,
): WaitingChange | undefined {
  const { id: source, definition, listed, listsSome = false } = answer;
  const names = countNames(answer);
  const { answeredOn, definition: asked = definition } = freshness ?? {};

  // What came while the list was short is no part of the measure.
  const atLast = recorded.filter(
    ({ firstSeen }) =>
      firstSeen === undefined || answeredOn === undefined || firstSeen <= answeredOn,
  );
  const last = listedBefore(source, atLast);

  // Names that are left out count, versions that wait do not.
  const still = last.filter((version) => listed.has(rankKey(version)));
  const before = names === undefined ? last.length : (freshness?.names ?? last.length);
  const now = names ?? still.length;
  const isEmpty = (names ?? listed.size) === 0;
  const isHalved = asked === definition && !listsSome && before >= leastMeasure && now * 2 < before;
  if (before === 0 || !(isEmpty || isHalved)) {
    return undefined;
  }

  const missing = listedBefore(source, names === undefined ? recorded : [])
    .filter((version) => !listed.has(rankKey(version)))
    .map(({ text }) => text);
  const loss = names === undefined ? missing.toSorted() : before;
  const reason = `${source} lists ${now === 0 ? 'none' : now} of the ${before} that it listed last`;

  return {
    id: createDecisionId(component, ['short list', source, loss]),
    component,
    kind: 'list',
    since: day,
    causes: [source],
    reason,
    items: missing.length > 0 ? missing : [reason],
  };
}
