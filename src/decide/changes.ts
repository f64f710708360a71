import { newestFirst, type Day } from '../core/dates.ts';
import type { Definition } from '../core/schemas/definition.ts';
import type { Change, ChangeEvent } from './change.ts';
import { nameInIds, type Component } from './component.ts';
import { ownReasons } from './deprecations.ts';
import { lineEvents } from './line-events.ts';
import { pastOf } from './past.ts';
import { pastVerdicts } from './past-verdicts.ts';
import { presenceEvents } from './presence-events.ts';
import type { Release } from './release.ts';
import { releaseEvents } from './release-events.ts';
import { supportHistory } from './support-history.ts';
import { compareVersions } from '../core/version.ts';

/**
 * Everything that changed about a component up to the day it was judged for, newest first; of one day, the greatest
 * version first. A change is dated by the day on which the index showed it: what was learnt late is told late. Verdicts of
 * the past are derived from the definition of today: an edit of its policy retells the past, but for the days that it states.
 * What it admits has no say here: `leftOutSince` has.
 * Pure: the same data and day give the same changes, and more data changes none of them.
 */
export function changesOf(component: Component): Change[] {
  const { name, definition, judgement, unadmitted } = component;
  const identify = identifier(nameInIds(component));
  const { releases, day } = judgement;
  const recorded =
    unadmitted.length === 0
      ? releases
      : [...releases, ...unadmitted].sort((a, b) => compareVersions(a.parsed, b.parsed));
  return [...eventsOf(name, definition, recorded, day)]
    .filter(({ on }) => on <= day)
    .map((event) => {
      const { kind, on, ...rest } = event;
      return { id: identify(event), on, component: name, kind, ...rest };
    })
    .reverse()
    .sort(byDayNewestFirst);
}

function* eventsOf(
  name: string,
  definition: Definition,
  releases: readonly Release[],
  day: Day,
): Generator<ChangeEvent> {
  const past = pastOf(releases);
  const policy = definition.support ?? { policy: 'none' };
  const history = supportHistory(policy, past.releases, day);
  const ownReasonsOf = ownReasons(definition);
  const verdictOn = pastVerdicts(ownReasonsOf, history);
  for (const [line, of] of Map.groupBy(past.releases, ({ release }) => release.line)) {
    for (const release of of) yield* releaseEvents(release, definition, ownReasonsOf, verdictOn);
    yield* lineEvents(line, of, history.get(line) ?? [], policy, verdictOn);
  }
  yield* presenceEvents(name, past, verdictOn);
}

/** Equal changes of one day are numbered. A number stays the same because corrections are only ever appended. */
function identifier(component: string): (event: ChangeEvent) => string {
  const counts = new Map<string, number>();
  return ({ kind, on, version, line, rule, field }) => {
    const subject = version === undefined ? line && `line/${line}` : encodeURIComponent(version);
    const detail = kind === 'deprecated' || kind === 'supported' ? rule : field;
    const id = [component, subject, kind.replace(' ', '-'), on, detail?.replace(' ', '-')]
      .filter((part) => part !== undefined)
      .join('/');
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? id : `${id}/${count}`;
  };
}

export function byDayNewestFirst(a: Pick<Change, 'on'>, b: Pick<Change, 'on'>): number {
  return newestFirst(a.on, b.on);
}
