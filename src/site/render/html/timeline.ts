import type { EndOfSupport } from '../../../decide/ends.ts';
import type { ComponentSummary, LineSummary } from '../../../decide/component.ts';
import {
  addDays,
  addMonths,
  daysApart,
  oldestFirst,
  readableDay,
  startOfQuarter,
  type Day,
} from '../../../core/dates.ts';
import { isPhaseOver, lastFreePhase, severalPhases } from '../../../core/phases.ts';
import { phaseList, stateTones } from '../../../core/words.ts';
import { withoutIllegalCharacters } from '../../../core/text.ts';
import { endView } from './end-view.ts';
import { axisBetween, isSoon, position, type TimeAxis } from './time-axis.ts';

/** A release line of a component, or all of its lines where they end together. */
export interface Bar extends LineSummary {
  readonly component: string;
  readonly title: string;
  readonly tone: 'ok' | 'soon' | 'over' | 'none';
  readonly start?: Day | undefined;
  /** The first day without support, exact or the earliest possible one. */
  readonly end?: Day | undefined;
  /** The latest possible one, where the exact day is unknown. */
  readonly endAtMost?: Day | undefined;
  /** Sentences on what to use instead; empty where there is nothing, or no hurry. */
  readonly remedy: string;
}

const mostEnded = 3;

/** Every component of which an end is known, the soonest end first; its supported lines, and the last that ended, newest first. */
export function barsOf(summaries: readonly ComponentSummary[], day: Day): Bar[] {
  const oldest = windowAround(day).start;
  return summaries
    .map((summary) => {
      const bars = linesToDraw(summary).map((line) => barOf(summary, line, summaries, day));
      const ended = bars.filter((bar) => bar.tone === 'over' && endOf(bar)! > oldest).slice(0, mostEnded);
      const running = bars.filter(({ tone }) => tone !== 'over');
      return running.some(endOf) ? [...running, ...ended] : ended;
    })
    .filter((bars) => bars.length > 0)
    .sort((a, b) => oldestFirst(nextEnd(a), nextEnd(b)))
    .flat();
}

/** Newest first. */
function linesToDraw({ lines, definition }: ComponentSummary): LineSummary[] {
  const [first] = lines;
  if (definition.support?.policy !== 'ended' || !first) return lines.toReversed();
  const name = lines.length > 1 ? `${first.name} to ${lines.at(-1)!.name}` : first.name;
  return [{ ...first, name }];
}

function barOf(
  summary: ComponentSummary,
  line: LineSummary,
  summaries: readonly ComponentSummary[],
  day: Day,
): Bar {
  const component = summary.name;
  const { until: end, untilAtMost: endAtMost } = lastFreePhase(line.phases) ?? {};
  // A line may be deprecated while its support runs.
  const isRunning = line.isSupported || (end !== undefined && end > day);
  const runningTone = end !== undefined && isSoon(day, end) ? 'soon' : 'ok';
  const tone = line.state === 'deprecated' && isRunning ? runningTone : stateTones[line.state];
  return {
    ...line,
    ...{ component, title: summary.definition.title, tone, end, endAtMost },
    start: line.began.atMost ?? line.began.from,
    remedy: tone === 'soon' ? remedyAfter({ component, lines: [line.name] }, summaries) : '',
  };
}

/** A few words on where to go from lines that end together; empty where there is nothing else. */
export function remedyAfter(
  { component, lines }: Pick<EndOfSupport, 'component' | 'lines'>,
  summaries: readonly ComponentSummary[],
): string {
  const { definition, replacement, latest } = summaries.find(({ name }) => name === component)!;
  const { replacedBy } = definition;
  if (replacedBy === undefined)
    return latest && !lines.includes(latest.line) ? `Move to ${latest.version}` : '';
  const title = summaries.find(({ name }) => name === replacedBy)?.definition.title ?? replacedBy;
  return `Move to ${title}${replacement ? ` ${replacement.version}` : ''}`;
}

/** The day to plan with, or else the latest possible end. */
export function endOf({ end, endAtMost }: Pick<Bar, 'end' | 'endAtMost'>): Day | undefined {
  return end ?? endAtMost;
}

/** The soonest first. */
export function byEnd(a: Bar, b: Bar): number {
  return oldestFirst(endOf(a)!, endOf(b)!);
}

function nextEnd(bars: readonly Bar[]): Day {
  const running = bars.filter(({ tone }) => tone !== 'over');
  return (running.length > 0 ? running : bars).map((bar) => endOf(bar) ?? '9999').sort()[0]!;
}

/** Two years back, and as far ahead as a person plans. */
function windowAround(day: Day): TimeAxis {
  const quarter = startOfQuarter(day);
  return axisBetween(addMonths(quarter, -24), addMonths(quarter, 30));
}

/** The quarters that hold these bars, with room for the words at their ends; few where all end soon. */
export function windowOf(bars: readonly Bar[], day: Day): TimeAxis {
  const quarter = startOfQuarter(day);
  if (bars.every(({ tone }) => tone === 'soon')) return axisBetween(quarter, addMonths(quarter, 9));
  const most = windowAround(day);
  const starts = bars.map(({ start = day }) => start).sort();
  const ends = bars
    .flatMap((bar) => severalPhases(bar.phases).at(-1)?.until ?? bar.endAtMost ?? bar.end ?? [])
    .sort();
  const [first = day, last = day] = [starts[0], ends.at(-1)];
  return axisBetween(
    startOfQuarter(first < most.start ? most.start : first),
    last > most.end ? most.end : addMonths(startOfQuarter(addDays(last, 1)), 6),
  );
}

/** Bars in one picture, those of a component together, under headings where there are some. */
export interface Section {
  readonly heading: string;
  readonly size: string;
  readonly bars: readonly Bar[];
}

/** What `plan.hbs` draws: in per cent across, so that text is never distorted. `today` is in days since 1970, as in `today.css`. */
export function planOf(sections: readonly Section[], axis: TimeAxis, day: Day) {
  const { from, days } = axis;
  return {
    // One day, and where the first is, so that the number of a day is a place.
    unit: `${100 / days}%`,
    origin: `${(-100 * from) / days}%`,
    ticks: ticksOf(axis),
    isCompact: sections.length > 1,
    hasBounds: sections.some(({ bars }) => bars.some(({ endAtMost }) => endAtMost !== undefined)),
    hasPhases: sections.some(({ bars }) => bars.some(({ phases }) => phases.length > 1)),
    sections: sections.map(({ heading, size, bars }) => ({
      heading,
      size,
      groups: Array.from(
        Map.groupBy(bars, ({ component }) => component),
        ([component, of]) => ({
          href: `${component}.html`,
          title: of[0]!.title,
          bars: of.map((bar) => drawBar(bar, axis, day)),
        }),
      ),
    })),
  };
}

/** Years over quarters, or months where there are few. */
function ticksOf(axis: TimeAxis): object[] {
  const { start, end } = axis;
  const step = axis.days > 280 ? 3 : 1;
  const ticks = [];
  for (let day = start; day < end; day = addMonths(day, step)) {
    const isYear = day.slice(5, 7) === '01';
    ticks.push({
      at: position(axis, day),
      kind: isYear ? 'year' : 'part',
      year: isYear || day === start ? day.slice(0, 4) : '',
      name: step === 3 ? `Q${(Number(day.slice(5, 7)) + 2) / 3}` : readableDay(day).slice(2, 5),
    });
  }
  return ticks;
}

/** The narrowest picture that shows words beside its bars, that of a wide window, in pixels, and the widest of common fonts. */
const narrowest = 540;
const wide = 952;
const letter = 7.4;
const gap = 8;
const mostLetters = 24;

/** A part of a bar for each phase: the first is solid, later ones are lighter, paid ones hatched. In per cent of the width. */
function segmentsOf(bar: Bar, from: number, to: number, axis: TimeAxis, day: Day) {
  const phases = severalPhases(bar.phases);
  const isAtMost = bar.end === undefined && bar.endAtMost !== undefined;
  if (phases.length === 0)
    return [{ kind: isAtMost ? 'at-least' : 'bar', isPaid: false, name: '', from, to }];
  let start = from;
  return phases.flatMap((phase, index) => {
    const { until, paid = false, name } = phase;
    const known = until === undefined ? undefined : Number.parseFloat(position(axis, until));
    const end = known ?? (isPhaseOver(phase, day) ? start : to);
    if (end <= start) return [];
    const kind = paid ? 'paid' : index === 0 ? 'bar' : 'bar later';
    const segment = { kind, isPaid: paid, name, from: start, to: end };
    start = end;
    return segment;
  });
}

/** Dashed between the day to plan with and the latest possible end. */
function beyond({ end, endAtMost }: Bar, axis: TimeAxis) {
  if (end === undefined || endAtMost === undefined) return [];
  const [from, to] = [end, endAtMost].map((on) => Number.parseFloat(position(axis, on))) as [number, number];
  return to > from ? [{ kind: 'at-least', isPaid: false, name: '', from, to }] : [];
}

/** Its name stands inside a bar where there is room. Its end stands behind it, or at the end inside it, or before it. */
function drawBar(bar: Bar, axis: TimeAxis, day: Day): object {
  const { remedy } = bar;
  const end = endOf(bar);
  const phases = severalPhases(bar.phases);
  const name = withoutIllegalCharacters(bar.name);
  const short = name.length > mostLetters ? `${name.slice(0, mostLetters - 1)}…` : name;
  const last = phases.at(-1);
  const finish = last && !(last.until === undefined && isPhaseOver(last, day)) ? last.until : end;
  const [from, to] = [bar.start ?? (end === undefined ? startOfQuarter(day) : undefined), finish].map(
    (on, index) => (on === undefined ? index * 100 : Number.parseFloat(position(axis, on))),
  ) as [number, number];
  const width = (text: string, of = narrowest) => ((text.length * letter + 2 * gap) / of) * 100;
  const segments = [...segmentsOf(bar, from, to, axis, day), ...beyond(bar, axis)];
  const [first = { kind: 'bar', name: '', from, to }] = segments;
  const free = lastFreePhase(phases);
  const view = endView({ until: bar.end, untilAtMost: bar.endAtMost }, day);
  const words = end === undefined ? 'no end announced' : view.words;
  const isNameInside = width(short) <= first.to - from;
  const label = `${isNameInside ? '' : `${short}: `}${free ? `${free.name} ` : ''}`;
  const text = readable(words);
  const when = `${label}${text}`;
  const behind = segments.at(-1)?.to ?? to;
  const isBehind = end !== undefined && behind + width(when) <= 100;
  const isInside = !isBehind && isNameInside && width(short) + width(when) <= to - from;
  const hasRoomBefore = from >= width(when) || (free !== undefined && from > 100 - to);
  const isBefore = !isBehind && !isInside && hasRoomBefore;
  const hasRoom = behind + width(`${when}, in 12 weeks: ${remedy}`, wide) <= 100;
  return {
    ...bar,
    name,
    phase: free?.name ?? '',
    end: { ...view, words, text },
    phases: phaseList(phases),
    segments: segments.map((segment) => ({
      ...segment,
      left: `${segment.from}%`,
      width: `${round(segment.to - segment.from)}%`,
      ...textIn(segment),
    })),
    label,
    at: `${isBefore ? from : isInside ? to : behind}%`,
    kind: isInside
      ? `${segments.at(-1)?.kind === 'bar' ? 'in' : 'phase'} end-of-row`
      : isBefore
        ? 'end-of-row'
        : '',
    gap: isInside || isBefore ? -gap : gap,
    after:
      remedy !== '' && isBehind && hasRoom ? `: ${remedy.charAt(0).toLowerCase()}${remedy.slice(1)}` : '',
  };

  /** Its name, unless other words need its place. */
  function textIn(segment: (typeof segments)[number]) {
    const textKind = segment.kind === 'bar' ? 'in' : 'phase';
    const room = Math.min(segment.to, isInside ? to - width(when) : 100) - segment.from;
    if (segment !== segments[0]) return { textKind, text: width(segment.name) <= room ? segment.name : '' };
    const both = `${short} ${segment.name}`.trim();
    return { textKind, text: isNameInside ? (width(both) <= room ? both : short) : '' };
  }
}

/** With each day as people read it. */
function readable(text: string): string {
  return daysApart(text)
    .map((part) => (part.isDay ? readableDay(part.text) : part.text))
    .join('');
}

function round(share: number): number {
  return Math.round(share * 100) / 100;
}
