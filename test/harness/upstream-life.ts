import { addDays, type Day } from '../../src/core/model/dates.ts';
import type { CheckedAnswer } from '../../src/record/gather/merge-values.ts';
import type { StatedRelease } from '../../src/record/sources/datasource.ts';
import { answer } from './merging.ts';

/** Draws a whole number below a limit. */
export type Draw = (below: number) => number;

/** The same numbers for the same seed. */
export function drawing(seed: number): Draw {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Listed {
  release: { -readonly [Key in keyof StatedRelease]: StatedRelease[Key] };
  isWithdrawn: boolean;
  source: string;
}

const sources = ['npm:x', 'npm:y'];

/** An upstream that lives: every day it may publish, withdraw, correct, deprecate, fall silent. */
export class LivingUpstream {
  readonly #draw: Draw;
  readonly #listed: Listed[] = [];
  /** Sources whose artifacts were replaced today; a person has looked at it. */
  readonly #republished = new Set<string>();

  constructor(draw: Draw) {
    this.#draw = draw;
  }

  /** What its sources answer after a day's events; a source that is out of order does not answer. */
  live(day: Day): CheckedAnswer[] {
    this.#republished.clear();
    const events = this.#draw(4);
    for (let event = 0; event < events; event += 1) {
      this.#happen(day);
    }
    return sources
      .filter(() => this.#draw(8) > 0)
      .map((id) => {
        const listed = this.#listed.filter(
          ({ source, isWithdrawn }) => source === id && !isWithdrawn,
        );
        return answer(
          id,
          listed.map(({ release }) => ({ ...release })),
          { day },
        );
      });
  }

  #happen(day: Day): void {
    const one = this.#listed[this.#draw(Math.max(1, this.#listed.length))];
    const happening = this.#draw(16);
    if (!one || happening < 6) {
      this.#publish(this.#version(), day);
    } else if (happening < 8) {
      one.isWithdrawn = !one.isWithdrawn;
    } else if (happening < 10) {
      this.#toggle(one.release, 'deprecated', 'use another');
    } else if (happening < 12) {
      one.release.releaseTimestamp ??= `${addDays(day, -this.#draw(60))}T08:00:00Z`;
    } else if (happening < 13) {
      one.release.changelogUrl = `https://example.com/${this.#draw(99)}`;
    } else if (happening < 14) {
      one.release.isPrerelease = this.#draw(2) === 0;
    } else if (happening === 15) {
      this.#republish(one);
    } else if (happening < 15 && this.#draw(6) === 0) {
      const line = this.#draw(9);
      for (let patch = 0; patch < 25; patch += 1) {
        this.#publish(`2.${line}.${100 + patch}`, day);
      }
    }
  }

  #republish({ release, source }: Listed): void {
    release.digests = { file: digestOf(this.#draw(10)) };
    this.#republished.add(source);
  }

  #version(): string {
    const form = this.#draw(5);
    const newest = Math.floor(this.#listed.length / 4);
    const line = form < 3 ? newest : this.#draw(newest + 2);
    return `1.${line}.${this.#draw(12)}${form === 4 ? '-rc.1' : ''}`;
  }

  /** On the day, found late, or without a day. */
  #publish(version: string, day: Day): void {
    if (this.#listed.some(({ release }) => release.version === version)) {
      return;
    }
    const kind = this.#draw(4);
    const published = addDays(day, kind === 2 ? -this.#draw(50) : 0);
    this.#listed.push({
      source: sources[this.#draw(2)]!,
      isWithdrawn: false,
      release: {
        version,
        digests: { file: digestOf(0) },
        ...(kind > 0 && { releaseTimestamp: `${published}T08:00:00Z` }),
      },
    });
  }

  #toggle(release: Listed['release'], key: 'deprecated', value: string): void {
    if (release[key] === undefined) {
      release[key] = value;
    } else {
      delete release[key];
    }
  }
}

function digestOf(digit: number): string {
  return `sha256:${String(digit).repeat(64)}`;
}
