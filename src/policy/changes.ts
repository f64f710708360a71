import { newestFirst } from '../dates.ts';
import type { Definition } from '../model/definition.ts';
import { additionEvents } from './addition-events.ts';
import type { Change, ChangeEvent } from './change.ts';
import type { Judgement } from './judge.ts';
import { lineEvents } from './line-events.ts';
import { pastOf } from './past.ts';
import { pastVerdicts } from './past-verdicts.ts';
import { releaseEvents } from './release-events.ts';
import { supportHistory } from './support-history.ts';

interface JudgedComponent {
  readonly name: string;
  readonly definition: Definition;
  readonly judgement: Judgement;
}

/**
 * Everything that changed about a component up to the day it was judged for, newest first; of one day, the greatest
 * version first. A change is dated by the day on which the index showed it: what was learnt late is told late. Verdicts of
 * the past are derived from the definition of today: what a person edits in it has no day, unless it states one.
 * Pure: the same data and day give the same changes, and more data changes none of them.
 */
export function changesOf({ name, definition, judgement }: JudgedComponent): Change[] {
  const identify = identifier(name);
  return [...eventsOf(name, definition, judgement)]
    .filter(({ on }) => on <= judgement.day)
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
  { releases, day }: Judgement,
): Generator<ChangeEvent> {
  const past = pastOf(releases);
  const policy = definition.support ?? { policy: 'none' };
  const history = supportHistory(policy, past.releases, day);
  const verdictOn = pastVerdicts(definition, history);
  for (const [line, of] of Map.groupBy(past.releases, ({ release }) => release.line)) {
    for (const release of of) yield* releaseEvents(release, definition, verdictOn);
    yield* lineEvents(line, of, history.get(line) ?? [], policy, verdictOn);
  }
  yield* additionEvents(name, past, verdictOn);
}

/** Equal changes of one day are numbered. A number stays the same because corrections are only ever appended. */
function identifier(component: string): (event: ChangeEvent) => string {
  const counts = new Map<string, number>();
  return ({ kind, on, version, line, rule, field }) => {
    const subject = version === undefined ? line && `line/${line}` : encodeURIComponent(version);
    const detail = kind === 'deprecated' || kind === 'supported' ? rule : field;
    const id = [component, subject, kind, on, detail?.replace(' ', '-')]
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
