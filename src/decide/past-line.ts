import type { Day } from '../core/dates.ts';
import { extendStart, noStart, type LineBeginning, type LineStart, type ReleaseLine } from './lines.ts';
import type { ReleasePast } from './past.ts';
import { holdsOn, type Reason } from './reason.ts';
import type { Release } from './release.ts';

/** What the support policy decided about a release line, from a day on. */
export interface LineVerdict {
  readonly on: Day;
  /** Why the line is out of support; absent while it is supported. */
  readonly reason?: Reason;
}

/** A release line as it was known on the day that a replay of its past has reached. */
export class PastLine implements ReleaseLine, LineBeginning {
  readonly name: string;
  /** Its place in the version order. */
  readonly place: number;
  readonly pasts: readonly ReleasePast[];
  /** Oldest first. */
  readonly verdicts: LineVerdict[] = [];
  start: LineStart = noStart;
  firstReleaseDay: Day | undefined;
  firstReleaseNotAfter: Day | undefined;
  bound: Day | undefined;
  readonly #known = new Map<ReleasePast, Release>();
  #reason: Reason | undefined;
  #isStale = false;

  constructor(name: string, place: number, pasts: readonly ReleasePast[]) {
    this.name = name;
    this.place = place;
    this.pasts = pasts;
  }

  get isOpen(): boolean {
    return this.start.isOpen;
  }

  get releases(): Release[] {
    return [...this.#known.values()];
  }

  get isThere(): boolean {
    return this.#known.size > 0;
  }

  get isOut(): boolean {
    return this.verdicts.at(-1)?.reason !== undefined;
  }

  /** What became known of one of its releases. */
  learn(past: ReleasePast, release: Release, on: Day): void {
    const before = this.#known.get(past);
    this.#known.set(past, release);
    if (!before) this.start = extendStart(this.start, release, on);
    else if (!isAlike(before, release)) this.#isStale = true;
  }

  /** The index goes without one of its releases. */
  forget(past: ReleasePast): void {
    this.#known.delete(past);
    this.#isStale = true;
  }

  /** Looks at all of its releases again where something that was known before changed. Returns whether it did. */
  refresh(on: Day): boolean {
    if (!this.#isStale) return false;
    this.start = this.releases.reduce((start, release) => extendStart(start, release, on), noStart);
    this.#isStale = false;
    return true;
  }

  /** Takes the policy's word from a day on. */
  judge(reason: Reason | undefined, on: Day): void {
    this.#pass((from) => from < on);
    this.#reason = reason;
    const holding = reason && holdsOn(reason, on) ? reason : undefined;
    if (this.verdicts.length > 0 && this.isOut === (holding !== undefined)) return;
    this.verdicts.push(holding ? { on, reason: holding } : { on });
  }

  /** Time passes until the end of a day: an end that was known before comes. */
  passTo(day: Day): void {
    this.#pass((from) => from <= day);
  }

  #pass(isPast: (from: Day) => boolean): void {
    const reason = this.#reason;
    if (reason?.from === undefined || this.isOut || !isPast(reason.from)) return;
    this.verdicts.push({ on: reason.from, reason });
  }
}

/** Whether two states of a release say the same of the start of its line. */
function isAlike(a: Release, b: Release): boolean {
  return (
    a.releaseDay === b.releaseDay &&
    a.timestampKind === b.timestampKind &&
    a.isPrerelease === b.isPrerelease &&
    a.recorded.withdrawnSince === b.recorded.withdrawnSince
  );
}
