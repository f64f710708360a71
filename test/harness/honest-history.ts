import { addDays, type Day } from '../../src/core/model/dates.ts';
import type { Advisory } from '../../src/core/schemas/recorded/advisory.ts';
import type { StatedRelease } from '../../src/record/sources/datasource.ts';
import { openGatedIndex, type Statement } from './gated-index.ts';
import { drawing, type Draw } from './upstream-life.ts';

const start: Day = '2026-01-01';

/** Lives through an honest history, and returns the days on which something was newly held; a person accepts each. */
export function liveHonestly(seed: number, days: number): Day[] {
  const upstream = openHonestUpstream(drawing(seed));
  const index = openGatedIndex({
    support: { policy: 'stated', source: { datasource: 'endoflife-date', product: 'x' } },
  });
  const heldOn: Day[] = [];
  for (let count = 0; count < days; count += 1) {
    const day = addDays(start, count);
    const isNews = upstream.live(day);
    // A day without news is like the one before.
    if (!isNews && count % 30 !== 0) {
      continue;
    }
    const { held } = index.run(day, upstream.statement());
    if (held.length === 0) {
      continue;
    }
    heldOn.push(`${day}: ${held.map(({ reason }) => reason).join(' | ')}`);
    for (const { id } of held) {
      index.accept(id);
    }
    index.run(day, upstream.statement());
  }
  return heldOn;
}

/** It publishes, pulls and deprecates releases, announces and moves ends, publishes, extends and replaces advisories. */
function openHonestUpstream(draw: Draw) {
  const releases: { -readonly [Key in keyof StatedRelease]: StatedRelease[Key] }[] = [];
  const ends = new Map<string, Day | undefined>();
  const advisories: Record<string, Advisory | undefined> = {};
  let [major, minor, patch] = [1, draw(4), 0];
  let ids = 0;
  const publish = (day: Day) => {
    const kind = draw(10);
    if (kind === 0) {
      [major, minor, patch] = [major + 1, 0, 0];
    } else if (kind < 5) {
      [minor, patch] = [minor + 1, 0];
    } else {
      patch += 1;
    }
    const line = `${major}.${minor}`;
    if (!ends.has(line)) {
      ends.set(line, undefined);
    }
    releases.push({ version: `${line}.${patch}`, releaseTimestamp: `${day}T03:00:00Z` });
  };
  for (let age = 720; age > 0; age -= 20 + draw(40)) {
    publish(addDays(start, -age));
  }
  for (const line of ends.keys()) {
    ends.set(line, addDays(start, 60 + draw(600)));
  }
  const affect = (): Advisory => {
    const fixed =
      releases[Math.floor(releases.length / 2) + draw(Math.ceil(releases.length / 2))]!.version;
    ids += 1;
    return {
      id: `CVE-2026-${ids}`,
      affected: `<${fixed}`,
      fixed: [fixed],
      severity: draw(2) ? 'high' : 'low',
    };
  };

  return {
    /** Returns whether anything happened. */
    live(day: Day): boolean {
      const chance = draw(1000);
      if (chance < 30) {
        publish(day);
      } else if (chance < 32) {
        releases.pop();
      } else if (chance < 38) {
        releases[draw(Math.ceil(releases.length / 4))]!.deprecated = 'superseded';
      } else if (chance < 46) {
        const lines = [...ends.keys()];
        const line = lines[draw(lines.length)]!;
        const until = ends.get(line);
        const move = (draw(2) ? 1 : -1) * 7 * (1 + draw(4));
        if (until === undefined) {
          ends.set(line, addDays(day, 200 + draw(400)));
        } else if (until > addDays(day, 40)) {
          ends.set(line, addDays(until, move));
        }
      } else if (chance < 52) {
        const advisory = affect();
        advisories[advisory.id] = advisory;
      } else if (chance < 55) {
        const known = Object.values(advisories).find((one) => one !== undefined);
        if (!known) {
          return false;
        }
        advisories[known.id] = {
          ...known,
          affected: `<=${releases.at(-1)!.version}`,
          fixed: undefined,
        };
      } else if (chance < 57) {
        const known = Object.values(advisories).find((one) => one !== undefined);
        if (!known) {
          return false;
        }
        ids += 1;
        const id = `GHSA-${ids}`;
        advisories[id] = { ...known, id };
        advisories[known.id] = undefined;
      } else {
        return false;
      }
      return true;
    },
    statement: (): Statement => ({
      releases: releases.map((release) => ({ ...release })),
      lines: Array.from(ends, ([line, until]) => ({
        line,
        phases: [{ name: 'support', ...(until !== undefined && { until }) }],
      })),
      advisories: { ...advisories },
    }),
  };
}
