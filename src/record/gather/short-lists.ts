import type { Day } from '../../core/model/dates.ts';
import { rankKey, type Version } from '../../core/model/version.ts';
import { createDecisionId, type WaitingChange } from '../gate/rules/decision-id.ts';
import type { Answered } from './ask-source.ts';
import { listSourceVersions } from './recorded-release.ts';
import type { History } from './sound-answer.ts';

/** Shorter lists are not compared: each new release may replace the one before. */
const minMeasure = 3;

/**
 * The number of names in a list that is not recorded itself: of ends, of advisories, or of a source that only adds. Catalogues
 * are counted in two digits, since they grow every week and the memory of runs changes only with news.
 */
export function countNames({ onlyAdds, lines, advisories, ranks }: Answered): number | undefined {
  if (lines) {
    return lines.length;
  }

  const names = advisories ? Number(advisories.byId.size.toPrecision(2)) : ranks.size;
  return onlyAdds ? names : undefined;
}

type LastList = Omit<History, 'waiting'> & { day: Day };

/**
 * Finds an answer that lists nothing, or less than half of the last list. Missing versions stay until a person accepts the
 * shorter list. New versions do not change the decision.
 */
export function findShortList(answer: Answered, lastList: LastList): WaitingChange | undefined {
  const { id: source, definition, listsSome = false } = answer;
  const { component, freshness, day } = lastList;
  const { lastCount, count, isEmpty, missing } = compareLists(answer, lastList);

  const isSameDefinition = (freshness?.definition ?? definition) === definition;
  const isComparable = isSameDefinition && !listsSome && lastCount >= minMeasure;
  const isHalved = isComparable && count * 2 < lastCount;
  if (lastCount === 0 || !(isEmpty || isHalved)) {
    return undefined;
  }

  const loss = missing?.toSorted() ?? lastCount;
  const reason = `${source} lists ${count === 0 ? 'none' : count} of the ${lastCount} that it listed last`;
  return {
    id: createDecisionId(component, ['short list', source, loss]),
    component,
    kind: 'list',
    since: day,
    causes: [source],
    reason,
    items: missing?.length ? missing : [reason],
  };
}

/** A list beside the last one of the same source. */
interface Comparison {
  /** The number of names in the last list. */
  lastCount: number;
  /** The number of names that are still listed. */
  count: number;
  isEmpty: boolean;
  /** The recorded versions that are missing, oldest first; undefined where only the number of names is recorded. */
  missing?: string[];
}

function compareLists(answer: Answered, { recorded, freshness }: LastList): Comparison {
  const { id, ranks } = answer;
  const { answeredOn, names: lastNames } = freshness ?? {};

  // Releases that came while the list was short are no part of the measure.
  const lastVersions = listSourceVersions(
    recorded.filter(
      ({ firstSeen }) =>
        firstSeen === undefined || answeredOn === undefined || firstSeen <= answeredOn,
    ),
    id,
  );
  const names = countNames(answer);
  if (names !== undefined) {
    return { lastCount: lastNames ?? lastVersions.length, count: names, isEmpty: names === 0 };
  }

  // Counts versions that the definition no longer admits, but none that wait.
  const isListed = (version: Version) => ranks.has(rankKey(version));
  const missing = listSourceVersions(recorded, id).filter((version) => !isListed(version));
  return {
    lastCount: lastVersions.length,
    count: lastVersions.filter(isListed).length,
    isEmpty: ranks.size === 0,
    missing: missing.map(({ text }) => text),
  };
}
