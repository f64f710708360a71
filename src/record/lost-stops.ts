/** Finds required stops that would be lost because of a source. Readers who then skip a stop may break their data. */
import { compareToBound } from '../core/range.ts';
import type { RecordedRelease } from '../core/schema/recorded.ts';
import { joinList } from '../core/text.ts';
import { keyLine } from '../core/version.ts';
import { judgeStates } from '../judge/states.ts';
import { listStops, type Stop } from '../judge/stops.ts';
import type { Admitted } from './holds.ts';

/** Required stops that would be lost. */
interface LostStops {
  /** The lowest release of each stop. As long as it is marked (`isStop`), the stop stays. */
  readonly versions: readonly string[];
  /** The reason for a hold. Empty if no stop is lost. */
  readonly reason: string;
}

/**
 * Lists the required stops that readers have, but that sources no longer mark, or whose line no longer has long-term support (`lts`). A stop
 * that moves within its line is not lost. Leaves out stops whose loss a person accepted, and stops of a source that was added or edited.
 */
export function listLostStops(admitted: Admitted): LostStops {
  const { component: name, definition, before, after } = admitted;
  const { requiredStops } = definition;
  const isOfSource = requiredStops?.lines === 'lts' || before.releases.some(({ isStop }) => isStop);
  if (!isOfSource) {
    return { versions: [], reason: '' };
  }

  const [former, present] = [before, after].map((recorded) => {
    const { lines } = judgeStates({ name, definition, recorded }, admitted.day);
    return { lines, stops: listStops(requiredStops, lines) };
  });
  const kept = new Set(present!.stops.map(keyStopLine));
  const lost = former!.stops.flatMap((stop) => {
    const line = present!.lines.find((each) => keyLine(each.name) === keyStopLine(stop));
    const release = line?.releases.find(
      ({ isPrerelease, parsed }) => !isPrerelease && compareToBound(parsed, stop.parsed) >= 0,
    );
    const isLost = release && !kept.has(keyStopLine(stop)) && !isChosen(release.recorded, admitted);
    return isLost ? [{ stop: stop.name, version: release.recorded.version }] : [];
  });
  const names = lost.map(({ stop }) => stop);
  const stops = names.length > 1 ? 'required stops' : 'required stop';
  return {
    versions: lost.map(({ version }) => version),
    reason: lost.length > 0 ? `the ${stops} ${joinList(names)} would be lost` : '',
  };
}

function keyStopLine({ line }: Stop): string {
  return line.groups.join('.');
}

/** Tells whether a person decided that a release is no longer a stop: by accepting the loss, or by editing a source. */
function isChosen(
  { version, sources }: RecordedRelease,
  { accepted, firstAnswers, hasFirstEnds, definition }: Admitted,
): boolean {
  const isEdited =
    sources.some((source) => firstAnswers.has(source)) ||
    (hasFirstEnds && definition.requiredStops?.lines === 'lts');
  return isEdited || accepted.has(version);
}
