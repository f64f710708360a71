import type { Day } from '../core/dates.ts';
import type { SupportPolicy } from '../core/schemas/definition.ts';
import { boundLines } from './lines.ts';
import type { ReleasePast } from './past.ts';
import { PastLine, type LineVerdict } from './past-line.ts';
import type { Release } from './release.ts';
import { supportReasons } from './support.ts';

/**
 * The verdicts on each line up to a day, oldest first, by its name; the first from the day of its first release on. Empty
 * where no policy decides.
 */
export type SupportHistory = ReadonlyMap<string, readonly LineVerdict[]>;

/**
 * Replays the days on which something became known that moves the end of a line, with what was known then: a line that
 * leaves support because a newer one appeared does so on the day the index learnt of it.
 */
export function supportHistory(
  policy: SupportPolicy,
  releases: readonly ReleasePast[],
  day: Day,
): SupportHistory {
  if (policy.policy === 'none') return new Map();
  const lines = Array.from(
    Map.groupBy(releases, ({ release }) => release.line),
    ([name, of], place) => new PastLine(name, place, of),
  );
  const replay = new Replay(policy);
  const steps = lines.flatMap(stepsOf).sort((a, b) => (a.on < b.on ? -1 : Number(a.on > b.on)));
  for (let index = 0; index < steps.length;) {
    const { on } = steps[index]!;
    if (on > day) break;
    for (; steps[index]?.on === on; index += 1) replay.learn(steps[index]!);
    replay.judge(on);
  }
  for (const line of lines) line.passTo(day);
  return new Map(lines.map(({ name, verdicts }) => [name, verdicts]));
}

/** Something that became known on a day. */
interface Step {
  readonly on: Day;
  readonly line: PastLine;
  readonly past: ReleasePast;
  /** Absent where the index goes without it from then on. */
  readonly release?: Release;
}

function stepsOf(line: PastLine): Step[] {
  const steps: Step[] = [];
  for (const past of line.pasts) {
    for (const { from, until } of past.shown) {
      for (const state of past.states) {
        if (until !== undefined && state.from >= until) break;
        steps.push({ on: state.from > from ? state.from : from, line, past, release: state.release });
      }
      if (until !== undefined) steps.push({ on: until, line, past });
    }
  }
  return steps;
}

/** Looks again only at lines whose verdict can have changed: some products have thousands of lines. */
class Replay {
  readonly #policy: SupportPolicy;
  /** Those that have a release by now, in version order. */
  readonly #there: PastLine[] = [];
  /** Of the day. */
  readonly #touched = new Set<PastLine>();
  readonly #moved = new Set<PastLine>();
  /** How many of the oldest lines are out of support, and stay so as long as releases are only added. */
  #settled = 0;

  constructor(policy: SupportPolicy) {
    this.#policy = policy;
  }

  learn({ line, past, release, on }: Step): void {
    const { isThere, start } = line;
    if (release) line.learn(past, release, on);
    else line.forget(past);
    this.#touched.add(line);
    if (!isThere) this.#enter(line);
    else if (!line.isThere) this.#there.splice(this.#there.indexOf(line), 1);
    if (!isThere || line.start !== start) this.#moved.add(line);
  }

  #enter(line: PastLine): void {
    let index = this.#there.length;
    while (index > 0 && this.#there[index - 1]!.place > line.place) index -= 1;
    this.#there.splice(index, 0, line);
    this.#settled = Math.min(this.#settled, index);
  }

  /** At the end of a day. */
  judge(on: Day): void {
    for (const line of this.#touched) {
      if (!line.refresh(on)) continue;
      this.#moved.add(line);
      this.#settled = 0;
    }
    if (this.#moved.size > 0) {
      const asked = this.#linesToAsk();
      const reasons = supportReasons(this.#policy, asked, on);
      for (const [index, line] of asked.entries()) line.judge(reasons[index], on);
      while (this.#there[this.#settled]?.isOut) this.#settled += 1;
    }
    this.#touched.clear();
    this.#moved.clear();
  }

  #linesToAsk(): PastLine[] {
    const changed = boundLines(this.#there, this.#moved);
    // The end of a line follows from the newer ones, or from itself alone.
    if (this.#policy.policy === 'latest-lines') return this.#there.slice(this.#settled);
    return [...new Set([...this.#moved, ...changed])];
  }
}
