import { addDays, type Day } from '../../src/core/dates.ts';
import type { StatedRelease } from '../../src/record/sources/source.ts';
import { randomFrom } from './random.ts';

type Listed = { -readonly [Key in keyof StatedRelease]: StatedRelease[Key] };

/**
 * An upstream with a true history that lies on some days: it withdraws, deprecates or calls prereleases what is newest or
 * anything else, lists floods and outliers, dates back, and takes such lies back and tells them again.
 */
export class LyingUpstream {
  readonly #random: () => number;
  readonly #all: Listed[] = [];
  readonly #hidden = new Set<Listed>();
  #line = 1;
  #patch = 0;

  constructor(seed: number, today: Day) {
    this.#random = randomFrom(seed);
    const known = 5 + this.#below(60);
    for (let index = 0; index < known; index += 1) this.#publish(addDays(today, (index - known) * 7));
  }

  /** What it lists after the events of a day. */
  live(today: Day): StatedRelease[] {
    for (let events = this.#below(3); events > 0; events -= 1) this.#happen(today);
    return this.#all.filter((release) => !this.#hidden.has(release)).map((release) => ({ ...release }));
  }

  #happen(today: Day): void {
    const lies = [
      () => this.#publish(today),
      () => this.#publish(addDays(today, -this.#below(60))),
      () => this.#newest(1 + this.#below(3)).forEach((release) => this.#hidden.add(release)),
      () => this.#newest(1 + this.#below(3)).forEach((release) => (release.deprecated = 'use another')),
      () => this.#newest(1).forEach((release) => (release.isPrerelease = true)),
      () => this.#hidden.add(this.#any()),
      () => (this.#any().deprecated = 'use another'),
      () => this.#hidden.clear(),
      () => this.#all.forEach((release) => void delete release.deprecated),
      () => this.#all.forEach((release) => void delete release.isPrerelease),
      () => this.#add(`${this.#line}.${this.#patch}${'0'.repeat(1 + this.#below(3))}`, today),
      () => this.#add(`${this.#line * 10 ** this.#below(4)}.0`, today),
      () => {
        const count = this.#below(12) === 0 ? 400 : 20;
        for (let index = 0; index < count; index += 1) this.#add(`0.${this.#line}.${index}`, today);
      },
    ];
    lies[this.#below(lies.length)]!();
  }

  #newest(count: number): Listed[] {
    return this.#all
      .filter((release) => !this.#hidden.has(release) && release.version.startsWith(`${this.#line}.`))
      .slice(-count);
  }

  #any(): Listed {
    return this.#all[this.#below(this.#all.length)]!;
  }

  #publish(on: Day): void {
    if (this.#below(12) === 0) [this.#line, this.#patch] = [this.#line + 1, 0];
    this.#add(`${this.#line}.${this.#patch}`, on);
    this.#patch += 1;
  }

  #add(version: string, on: Day): void {
    if (this.#all.some((release) => release.version === version)) return;
    this.#all.push({ version, releaseTimestamp: `${on}T08:00:00Z` });
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}
