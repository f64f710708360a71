/** Finds required stops that sources no longer mark. Readers who then skip a stop may break their data. */
import { joinList } from '../core/text.ts';
import { judgeStates } from '../judge/states.ts';
import type { Admitted } from './holds.ts';

/** Required stops that sources no longer mark. */
interface LostStops {
  /** The releases that were marked (`isStop`). */
  readonly versions: readonly string[];
  /** The reason for a hold. Empty if no stop is lost. */
  readonly reason: string;
}

/**
 * Lists the releases that sources no longer mark as required stops, if no other release of their release line is marked. Leaves out versions
 * whose loss a person accepted, and releases of a source that was added or edited.
 */
export function listLostStops(admitted: Admitted): LostStops {
  const { component: name, definition, before, after, accepted, firstAnswers, day } = admitted;
  const present = new Map(after.releases.map((release) => [release.version, release]));
  const unmarked = before.releases.filter(({ version, isStop }) => {
    const release = present.get(version);
    const isEdited = release?.sources.some((source) => firstAnswers.has(source));
    return isStop && release && !release.isStop && !isEdited && !accepted.has(version);
  });
  if (unmarked.length === 0) {
    return { versions: [], reason: '' };
  }

  const { releases } = judgeStates({ name, definition, recorded: after }, day);
  const lines = new Map(releases.map(({ version, line }) => [version, line]));
  const marked = new Set(releases.flatMap(({ recorded, line }) => (recorded.isStop ? line : [])));
  const versions = unmarked
    .map(({ version }) => version)
    .filter((version) => !marked.has(lines.get(version) ?? ''));
  const names = [...new Set(versions.map((version) => lines.get(version) ?? version))];
  const stops = names.length > 1 ? 'required stops' : 'required stop';
  const reason = `the ${stops} ${joinList(names)} would be lost`;
  return { versions, reason: versions.length > 0 ? reason : '' };
}
