import { addDays, type Day } from '../../src/core/model/dates.ts';
import type { Draw } from './upstream-life.ts';

/** How many days ahead an honest project says that a line ends earlier. */
const notice = 100;

interface Advisory {
  id: string;
  range: { fixed: string } | { last_affected: string };
  severity: string;
  withdrawn?: string;
}

/** It publishes, pulls and deprecates releases, announces and moves ends, publishes, extends and replaces advisories. */
export function openHonestUpstream(draw: Draw, start: Day) {
  const releases: { version: string; at: string; deprecated?: string }[] = [];
  const ends = new Map<string, Day | undefined>();
  const advisories: Advisory[] = [];
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
    releases.push({ version: `${line}.${patch}`, at: `${day}T03:00:00.000Z` });
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
      range: { fixed },
      severity: draw(2) ? 'HIGH' : 'LOW',
    };
  };

  const moveEnd = (day: Day) => {
    const lines = [...ends.keys()];
    const line = lines[draw(lines.length)]!;
    const until = ends.get(line);
    const move = (draw(2) ? 1 : -1) * 7 * (1 + draw(4));
    if (until === undefined) {
      ends.set(line, addDays(day, 200 + draw(400)));
    } else if (addDays(until, Math.min(0, move)) > addDays(day, notice)) {
      ends.set(line, addDays(until, move));
    }
  };
  const firstAdvisory = () => advisories.find(({ withdrawn }) => withdrawn === undefined);
  const extendAdvisory = () => {
    const advisory = firstAdvisory();
    if (advisory) {
      advisory.range = { last_affected: releases.at(-1)!.version };
    }
  };
  /** Another one says the same, and the first is withdrawn. */
  const replaceAdvisory = (day: Day) => {
    const advisory = firstAdvisory();
    if (advisory) {
      ids += 1;
      advisories.push({ ...advisory, id: `GHSA-${ids}` });
      advisory.withdrawn = `${day}T00:00:00Z`;
    }
  };

  return {
    /** Lives through a day, on which something may happen. */
    live(day: Day): void {
      const chance = draw(1000);
      if (chance < 30) {
        publish(day);
      } else if (chance < 32) {
        releases.pop();
      } else if (chance < 38) {
        releases[draw(Math.ceil(releases.length / 4))]!.deprecated = 'superseded';
      } else if (chance < 46) {
        moveEnd(day);
      } else if (chance < 52) {
        advisories.push(affect());
      } else if (chance < 55) {
        extendAdvisory();
      } else if (chance < 57) {
        replaceAdvisory(day);
      }
    },
    /** As a registry of npm lists them. */
    listing: () =>
      Object.fromEntries(releases.map(({ version, ...release }) => [version, { ...release }])),
    /** As endoflife.date states them. */
    ends: (day: Day) =>
      Array.from(ends, ([name, until]) => ({
        name,
        isEol: until !== undefined && until <= day,
        eolFrom: until ?? null,
      })),
    /** As OSV states them. */
    advisories: (name: string) =>
      advisories.map(({ id, range, severity, withdrawn }) => ({
        id,
        modified: `${start}T00:00:00Z`,
        ...(withdrawn && { withdrawn }),
        affected: [
          {
            package: { ecosystem: 'npm', name },
            ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, range] }],
          },
        ],
        database_specific: { severity },
      })),
  };
}
