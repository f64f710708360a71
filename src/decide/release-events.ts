import { isDay, type Day } from '../core/dates.ts';
import type { Definition } from '../core/schemas/definition.ts';
import type { Correction } from '../core/schemas/recorded.ts';
import { defined, sentence } from '../core/text.ts';
import type { ChangeEvent } from './change.ts';
import { completeCorrections, fieldNames } from './corrections.ts';
import { wasThere, type ReleasePast } from './past.ts';
import type { PastVerdict } from './past-verdicts.ts';
import type { Reason } from './reason.ts';
import type { Release } from './release.ts';

/** What happened to a release after it had come into the index, its line aside. */
export function* releaseEvents(
  past: ReleasePast,
  definition: Definition,
  ownReasonsOf: (release: Release) => readonly Reason[],
  verdictOn: PastVerdict,
): Generator<ChangeEvent> {
  const { corrections, withdrawnSince } = past.release.recorded;
  if (definition.deprecated)
    for (const event of listedEvents(past.release, ownReasonsOf)) if (wasThere(past, event.on)) yield event;
  if (corrections === undefined && withdrawnSince === undefined) return;
  for (const event of recordedEvents(past, definition, verdictOn)) if (wasThere(past, event.on)) yield event;
}

/** What the definition's list of deprecations says. */
function* listedEvents(
  release: Release,
  ownReasonsOf: (release: Release) => readonly Reason[],
): Generator<ChangeEvent> {
  const { version } = release;
  for (const { rule, from, text, url } of ownReasonsOf(release)) {
    if (rule !== 'definition' || from === undefined) continue;
    yield defined({
      kind: 'deprecated',
      on: from,
      version,
      text: `${version} is deprecated: ${sentence(text)}`,
      rule,
      reason: text,
      url,
    } as const);
  }
}

/** What is recorded of its past. */
function* recordedEvents(
  past: ReleasePast,
  { ignoreUpstreamDeprecation }: Definition,
  verdictOn: PastVerdict,
): Generator<ChangeEvent> {
  const { version, recorded } = past.release;
  const { source, withdrawnSince } = recorded;
  for (const correction of completeCorrections(recorded)) {
    const { field, from, to, on, reason } = correction;
    if (field === 'deprecated' && ignoreUpstreamDeprecation) continue;
    // Told with its coming and going, as there may be many of a day.
    if (field === 'leftOutSince' || field === 'digests') continue;
    if (field === 'deprecated' && from === undefined && to !== undefined) {
      const text = `${version} is deprecated upstream: ${sentence(to)}`;
      yield { kind: 'deprecated', on, version, text, rule: 'upstream', reason: to };
    } else if (field === 'deprecated' && to === undefined && verdictOn(past, on).length === 0) {
      const text = `${version} is no longer deprecated upstream: ${sentence(reason)}`;
      yield defined({ kind: 'supported', on, version, text, rule: 'upstream', field, from, reason } as const);
    } else if (field === 'withdrawnSince' && from !== undefined && to === undefined) {
      if (isDay(from)) yield withdrawal(version, from, source);
      const rule = verdictOn(past, on)[0]?.rule;
      const what = rule ? 'is listed again, and stays deprecated' : 'is listed again';
      yield defined({
        kind: 'returned',
        on,
        version,
        text: `${version} ${what}: ${sentence(reason)}`,
        rule,
        reason,
      } as const);
    } else yield correctionEvent(version, correction, to);
  }
  if (withdrawnSince !== undefined) yield withdrawal(version, withdrawnSince, source);
}

function withdrawal(version: string, on: Day, source = 'upstream'): ChangeEvent {
  const reason = `${source} no longer lists it`;
  return { kind: 'withdrawn', on, version, text: `${version} was withdrawn: ${reason}.`, reason };
}

function correctionEvent(version: string, correction: Correction, to: string | undefined): ChangeEvent {
  const { on, field, from, reason } = correction;
  const quote = (value: string | undefined) => (value === undefined ? 'none' : `"${value}"`);
  const text = `${version}: the ${fieldNames[field]} was ${quote(from)} and is ${quote(to)} now: ${sentence(reason)}`;
  return defined({ kind: 'corrected', on, version, text, field, from, to, reason } as const);
}
