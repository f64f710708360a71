import type { Day } from '../../core/model/dates.ts';
import { rankKey, type Version } from '../../core/model/version.ts';
import { hasSameDefinition } from '../../core/schemas/recorded/freshness.ts';
import { createDecisionId, type WaitingChange } from '../gate/rules/waiting-change.ts';
import type { Answered } from './ask-source.ts';
import type { GatherInput } from './ask-sources.ts';
import { listSourceVersions } from './recorded-releases.ts';

/** Shorter lists are not compared: each new release may replace the one before. */
const shortestList = 3;

/**
 * Finds an answer that lists nothing, or less than half of the last list of its source. `nameCount`: the number of listed names,
 * where freshness records only numbers.
 */
export function findShortList(
  recorded: GatherInput,
  answer: Answered,
  nameCount: number | undefined,
  day: Day,
): WaitingChange | undefined {
  const { component, freshness } = recorded;
  const { id: source, fingerprint, listsSome = false } = answer;
  const { lastCount, count, words, missing, loss } =
    nameCount === undefined
      ? compareListed(recorded, answer)
      : compareCounts(recorded, source, nameCount);

  const isSame = hasSameDefinition(freshness.sources[source], fingerprint);
  const isComparable = isSame && !listsSome && lastCount >= shortestList;
  const isEmpty = (nameCount ?? answer.ranks.size) === 0;
  const hasLostTooMuch = isEmpty ? lastCount > 0 : isComparable && count * 2 < lastCount;
  if (!hasLostTooMuch) {
    return undefined;
  }

  const reason = `${source} lists ${count === 0 ? `none of the ${lastCount} that it listed last` : words}`;
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

/** An answer, compared with the last list of its source. */
interface Comparison {
  /** The number of names in the last list. */
  lastCount: number;
  /** The number of names to compare with it. */
  count: number;
  /** What the source lists, if it lists any of them. */
  words: string;
  /** The versions that are no longer listed, if they are known. */
  missing?: string[];
  /** What readers would lose. New versions do not change it, nor the id of the decision. */
  loss: readonly string[] | number;
}

/** Counts the versions of the last list that are still listed. */
function compareListed(recorded: GatherInput, { id, ranks }: Answered): Comparison {
  // A listed version counts even if the definition no longer admits it.
  const isListed = (version: Version) => ranks.has(rankKey(version));
  const lastVersions = readLastVersions(recorded, id);
  const lastCount = lastVersions.length;
  const count = lastVersions.filter(isListed).length;

  // Releases that came later are lost, too, if the short list is accepted.
  const missing = listSourceVersions(recorded.releases, id)
    .filter((version) => !isListed(version))
    .map(({ text }) => text);
  return {
    lastCount,
    count,
    words: `${count} of the ${lastCount} that it listed last`,
    missing,
    loss: missing.toSorted(),
  };
}

/** Compares the numbers of names. It is unknown whether the present names were in the last list. */
function compareCounts(recorded: GatherInput, id: string, count: number): Comparison {
  // The first answer after "onlyAdds" was set is compared with the recorded versions.
  const lastCount = recorded.freshness.sources[id]?.names ?? readLastVersions(recorded, id).length;
  const words = `${count} names, but listed ${lastCount} last`;
  return { lastCount, count, words, loss: lastCount };
}

/** The versions of the last list that was accepted: while a list is short, releases still come in. */
function readLastVersions({ releases, freshness }: GatherInput, id: string): Version[] {
  const answeredOn = freshness.sources[id]?.answeredOn;
  const lastList = releases.filter(
    ({ firstSeen = '' }) => answeredOn === undefined || firstSeen <= answeredOn,
  );
  return listSourceVersions(lastList, id);
}
