import type { Day } from '../core/dates.ts';
import type { Correction } from '../core/schemas/recorded.ts';
import { counted, defined, listed, sentence } from '../core/text.ts';
import type { ChangeEvent } from './change.ts';
import { wasThere, type ComponentPast, type ReleasePast } from './past.ts';
import type { PastVerdict } from './past-verdicts.ts';

/** More releases than this that come, leave or return on one day are one change. */
const maxSinglesOfDay = 20;

/** A release that the index shows from a day on, or no longer, or with other artifacts. */
interface Step {
  readonly on: Day;
  readonly past: ReleasePast;
}

/**
 * What came into the index, left it, returned and was republished. The releases that a component enters with are one change, and so are many
 * of one day later; what had happened to them before is a part of it. A release recorded by hand, on no known day, is not told.
 */
export function* presenceEvents(
  component: string,
  { releases, enteredOn }: ComponentPast,
  verdictOn: PastVerdict,
): Generator<ChangeEvent> {
  const gathered = releases.filter(({ release }) => release.recorded.firstSeen !== undefined);
  const came = gathered.map((past): Step => ({ past, on: past.shown[0]!.from }));
  const { first = [], later = [] } = Object.groupBy(came, ({ on }) => (on === enteredOn ? 'first' : 'later'));
  if (first.length > 0)
    yield ofMany('added', first, `${component} was added with ${counted(first.length, 'release')}`);
  const left = releases.flatMap((past) =>
    past.shown.flatMap(({ until }): Step | [] => (until === undefined ? [] : { past, on: until })),
  );
  const returned = releases.flatMap((past) =>
    past.shown.slice(1).map(({ from }): Step => ({ past, on: from })),
  );
  const republished = releases.flatMap((past) =>
    [...new Set(republications(past).map(({ on }) => on))].map((on): Step => ({ past, on })),
  );
  const tell = function* (
    kind: ChangeEvent['kind'],
    steps: readonly Step[],
    what: string,
    single: (step: Step, verdict: Verdict) => ChangeEvent,
  ): Generator<ChangeEvent> {
    for (const [on, of] of Map.groupBy(steps, (step) => step.on)) {
      if (of.length > maxSinglesOfDay) yield ofMany(kind, of, `${counted(of.length, 'release')} ${what}`);
      else for (const step of of) yield single(step, verdictOn(step.past, on)[0]);
    }
  };
  yield* tell('added', later, 'were added to the index', addition);
  yield* tell('left out', left, 'were left out, as the definition no longer admits them', leaving);
  yield* tell('returned', returned, 'are in the index again, as the definition admits them again', returning);
  yield* tell('republished', republished, 'were republished under the same versions', republication);
}

function ofMany(kind: ChangeEvent['kind'], of: readonly Step[], what: string): ChangeEvent {
  const [first, last] = [of[0]!, of.at(-1)!].map(({ past }) => past.release.version) as [string, string];
  const range = first === last ? first : `from ${first} to ${last}`;
  return { kind, on: of[0]!.on, releases: of.length, first, last, text: `${what}: ${range}.` };
}

type Verdict = ReturnType<PastVerdict>[number] | undefined;

function addition({ on, past }: Step, verdict: Verdict): ChangeEvent {
  const { version, changelogUrl } = past.release;
  return defined({
    kind: 'added',
    on,
    version,
    text: verdict
      ? `${version} was added to the index and is deprecated: ${sentence(verdict.text)}`
      : `${version} was added to the index.`,
    rule: verdict?.rule,
    reason: verdict?.text,
    url: changelogUrl,
  } as const);
}

function leaving({ on, past }: Step): ChangeEvent {
  const { version } = past.release;
  const reason = 'the definition no longer admits it';
  return { kind: 'left out', on, version, text: `${version} was left out: ${reason}.`, reason };
}

function returning({ on, past }: Step, verdict: Verdict): ChangeEvent {
  const { version } = past.release;
  const reason = 'the definition admits it again';
  const what = verdict ? 'is in the index again, and is deprecated' : 'is in the index again';
  const text = `${version} ${what}: ${reason}.`;
  return defined({ kind: 'returned', on, version, text, rule: verdict?.rule, reason } as const);
}

/** While it was in the index. */
function republications(past: ReleasePast): Correction[] {
  const { corrections = [] } = past.release.recorded;
  return corrections.filter(({ field, on }) => field === 'digests' && wasThere(past, on));
}

const maxArtifactsNamed = 5;

/** Of one artifact with its digests, as a correction; several are named. */
function republication({ on, past }: Step): ChangeEvent {
  const { version } = past.release;
  const of = republications(past).filter((correction) => correction.on === on);
  const [{ from, to, reason }] = of as [Correction];
  // The artifact's name comes first; an edit by hand may state no value.
  const names = of.flatMap((correction) => (correction.to ?? correction.from)?.split(' ', 1) ?? []);
  const which = names.length === 0 ? '' : `: ${listed(names, maxArtifactsNamed)}`;
  return defined({
    kind: 'republished',
    on,
    version,
    text: `${version} was republished: ${sentence(`${reason}${which}`)}`,
    field: 'digests',
    ...(of.length === 1 && { from, to }),
    reason,
  } as const);
}
