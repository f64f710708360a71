import type { SourceFreshness } from '../../core/schemas/recorded/freshness.ts';
import type { RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { rankKey } from '../../core/model/version.ts';
import { acceptCommand } from '../../decide/sentences.ts';
import { sha256 } from '../../io/files/sha256.ts';
import type { Answered } from './ask-source.ts';
import { listedBefore } from './recorded-release.ts';

/** A list that lost too much, which is a failure. */
interface ShortList {
  readonly reason: string;
  /** The decision that takes it as sound. */
  readonly accept: string;
}

/** How many names a page or a source of ends lists. What others list is recorded. */
export function countNames({ onlyAdds, ofLines, listed }: Answered): number | undefined {
  if (ofLines) {
    return ofLines.lines.length;
  }

  return onlyAdds ? listed.size : undefined;
}

/** Finds an answer that lists nothing, or less than half of what its source listed last. `accepted`: the ids of decisions. */
export function findShortList(
  answer: Answered,
  component: string,
  recorded: readonly RecordedRelease[],
  freshness: SourceFreshness | undefined,
  accepted: ReadonlySet<string>,
): ShortList | undefined {
  const { id, definition, listed } = answer;
  const { answeredOn = '', definition: asked = definition, names } = freshness ?? {};
  const last = listedBefore(id, recorded);

  // Names that are left out count, versions that wait do not.
  const still = last.filter((version) => listed.has(rankKey(version)));
  const before = countNames(answer) === undefined ? last.length : (names ?? 0);
  const now = countNames(answer) ?? still.length;
  if (asked !== definition || before === 0 || now * 2 >= before) {
    return undefined;
  }

  const about = JSON.stringify([id, answeredOn, before, [...listed].sort(), now]);
  const accept = `${component}-${sha256(about).slice(0, 10)}`;
  if (accepted.has(accept)) {
    return undefined;
  }

  const command = acceptCommand({ id: accept });
  const reason = `${id} lists ${now === 0 ? 'none' : now} of the ${before} that it listed last. If this is right: ${command}`;

  return { reason, accept };
}
