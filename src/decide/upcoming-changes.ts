import type { Day } from '../core/dates.ts';
import type { PublishedComing } from '../core/schemas/published/search-file.ts';
import { isPhaseOver, severalPhases } from '../core/phases.ts';
import { defined, sentence } from '../core/text.ts';
import { isLineOpen, type JudgedLine, type Judgement } from './judge.ts';

/** Changes of a component on known days although nothing is released, soonest first. */
export function upcomingChanges({ day, lines, releases }: Judgement): PublishedComing[] {
  const changes: PublishedComing[] = [];
  for (const line of lines) {
    const { name, isSupported, eolFrom, eolKind, reason } = line;
    changes.push(...phaseChanges(line, day));
    if (!isSupported) continue;
    if (reason?.from !== undefined && reason.from > day && reason.from !== eolFrom && isLineOpen(line))
      changes.push({ on: reason.from, line: name, event: 'will be deprecated' });
    if (eolFrom !== undefined)
      changes.push(defined({ on: eolFrom, onKind: eolKind, line: name, event: 'leaves support' } as const));
  }
  for (const { version, isDeprecated, upcoming } of releases) {
    const [next] = upcoming;
    // The changes of lines include those by the support policy.
    if (isDeprecated || next?.from === undefined || next.rule === 'support policy') continue;
    changes.push({ on: next.from, version, event: 'will be deprecated', reason: sentence(next.text) });
  }
  return changes.sort((a, b) => (a.on < b.on ? -1 : Number(a.on > b.on)));
}

function phaseChanges({ name: line, phases }: JudgedLine, day: Day): PublishedComing[] {
  return severalPhases(phases).flatMap((phase, index) => {
    if (phase.until === undefined || isPhaseOver(phase, day)) return [];
    const { name, until } = phases[index + 1] ?? {};
    const event = name === undefined ? ('leaves its last phase' as const) : ('enters phase' as const);
    return defined({ on: phase.until, onKind: phase.untilKind, line, event, phase: name, phaseUntil: until });
  });
}
