import type { Day } from '../core/dates.ts';
import { isPhaseOver, lastFreePhase } from '../core/phases.ts';
import type { Definition } from '../core/schemas/definition.ts';
import type { Phase } from '../core/schemas/phase.ts';
import { holdsOn } from '../core/states.ts';
import { listed, sentence } from '../core/text.ts';
import { rangeInWords, reasonInWords } from '../core/words.ts';
import type { JudgedLine, JudgedRelease, Judgement } from './judge.ts';

/** A label of a pull request, from facts about the version in use. */
export type PinLabel = 'unsupported' | 'support-ends' | 'deprecated' | 'security';

/** The text and labels of a pull request on a version in use. */
export interface PinFacts {
  /** Stays true while the pull request is open; empty without known facts. */
  readonly text: string;
  readonly labels: readonly PinLabel[];
}

/** Facts about all versions of a release line. */
export interface FactsOnLine extends PinFacts {
  readonly line: string;
}

/** Facts about single versions. */
export interface FactsOnVersions extends PinFacts {
  readonly versions: readonly string[];
}

/** Facts about every release line, oldest first. */
export function factsOnLines({ lines, day }: Judgement, { support }: Definition): FactsOnLine[] {
  return lines.map((line) => ({
    line: line.name,
    ...factsOfLine(line, day, statesMoreThanDay(line, support)),
  }));
}

/** Whether the reason for the end of a line tells more than the day. */
function statesMoreThanDay({ name }: JudgedLine, support: Definition['support']): boolean {
  if (support?.policy === 'ended') {
    return support.reason !== undefined;
  }
  return support?.policy !== 'dated' || !(name in support.lines);
}

/** Facts about releases, grouped by equal facts. Omits releases without facts. */
export function factsOnVersions({ releases, day }: Judgement): FactsOnVersions[] {
  const all = releases.flatMap((release) => {
    const facts = factsOfRelease(release, day);
    return facts.text === '' ? [] : { version: release.version, facts };
  });
  const alike = Map.groupBy(all, ({ facts }) => JSON.stringify(facts));
  return Array.from(alike.values(), (group) => ({
    versions: group.map(({ version }) => version),
    ...group[0].facts,
  }));
}

function factsOfLine({ phases, reason, state }: JudgedLine, day: Day, saysWhy: boolean): PinFacts {
  const end = lastFreePhase(phases);
  const { until, untilAtMost, isOver } = end ?? {};
  if (!end || (until === undefined && untilAtMost === undefined && !isOver)) {
    return { text: '', labels: [] };
  }
  const hasEnded = isPhaseOver(end, day) === true;
  const deprecatedFrom = reason?.fromAtMost ?? reason?.from;
  const isDeprecatedFirst =
    deprecatedFrom !== undefined && deprecatedFrom !== (untilAtMost ?? until);
  const labels: PinLabel[] = [];
  if (hasEnded) {
    labels.push('unsupported');
  }
  if (state === 'ends-soon' || state === 'may-have-ended') {
    labels.push('support-ends');
  }
  const isDeprecated = reason !== undefined && holdsOn(reason, day);
  if (!hasEnded && isDeprecatedFirst && isDeprecated) {
    labels.push('deprecated');
  }
  const sentences = [hasEnded ? pastEnd(end) : futureEnd(end)];
  if (reason && saysWhy) {
    sentences.push(sentence(reason.text));
  }
  if (isDeprecatedFirst) {
    sentences.push(`Deprecated from ${deprecatedFrom} on.`);
  }
  return { text: sentences.join(' '), labels };
}

function pastEnd({ until, untilAtMost }: Phase): string {
  if (untilAtMost !== undefined) {
    return `Support ended by ${untilAtMost}.`;
  }
  return until === undefined ? 'Support has ended.' : `Support ended on ${until}.`;
}

function futureEnd({ until, untilAtMost }: Phase): string {
  if (untilAtMost === undefined) {
    return `Support ends on ${until}.`;
  }
  return `Support ends ${rangeInWords({ from: until, atMost: untilAtMost })}.`;
}

function factsOfRelease({ reasons, advisories }: JudgedRelease, day: Day): PinFacts {
  const labels: PinLabel[] = [];
  if (reasons.some((reason) => holdsOn(reason, day))) {
    labels.push('deprecated');
  }
  if (advisories.length > 0) {
    labels.push('security');
  }
  const why = reasons.map((reason) => {
    const words = reasonInWords(reason, day);
    return reason.rule === 'definition' && holdsOn(reason, day) ? `Deprecated: ${words}` : words;
  });
  // Do not state "no fixed version is known", which may become false.
  const affecting = advisories.map(({ id, severity, fixed }) => {
    const details = [severity, fixed && `fixed in ${listed(fixed, 3)}`].filter(Boolean).join('; ');
    return details === '' ? id : `${id} (${details})`;
  });
  const affected = affecting.length > 0 ? [`Affected by ${listed(affecting, 3)}.`] : [];
  return { text: [...why, ...affected].join(' '), labels };
}
