import type { SourceFreshness } from '../../core/schemas/freshness.ts';
import type { RecordedRelease } from '../../core/schemas/recorded.ts';
import { counted } from '../../core/text.ts';
import { acceptCommand } from '../../decide/sentences.ts';
import { sha256 } from '../../io/files/sha256.ts';
import type { Answered } from './ask.ts';
import { listedBefore } from './recorded-release.ts';

/** A list that lost too much, which is a failure. */
export interface ShortList {
  readonly reason: string;
  /** The decision that takes it as sound. */
  readonly accept: string;
}

/** The names that a source lists, before anything is left out. */
export function listedNames({ listed, ofLines }: Answered): string[] {
  return ofLines ? ofLines.lines.map(({ line }) => line) : [...listed];
}

/** Finds an answer that lists nothing, or less than half of what its source listed last. `accepted`: the ids of decisions. */
export function findShortList(
  answer: Answered,
  component: string,
  recorded: readonly RecordedRelease[],
  freshness: SourceFreshness | undefined,
  accepted: ReadonlySet<string>,
): ShortList | undefined {
  const { id, definition, onlyAdds } = answer;
  const { answeredOn = '', definition: asked = definition, names: last } = freshness ?? {};

  // A page drops old entries.
  const known = onlyAdds ? 0 : listedBefore(id, recorded).length;
  const before = asked === definition ? (last ?? known) : 0;
  const names = listedNames(answer).sort();
  if (before === 0 || names.length * 2 >= before) {
    return undefined;
  }

  const about = JSON.stringify([id, answeredOn, before, names]);
  const accept = `${component}-${sha256(about).slice(0, 10)}`;
  if (accepted.has(accept)) {
    return undefined;
  }

  const present = names.length === 0 ? 'nothing' : counted(names.length, 'name');
  const command = acceptCommand({ id: accept });
  const reason = `${id} lists ${present}, and listed ${before} before. If this is right: ${command}`;

  return { reason, accept };
}
