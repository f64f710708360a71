import type { Day } from '../dates.ts';
import { stateOn } from '../policy/component-freshness.ts';
import type { Component } from '../policy/component.ts';
import type { JudgedRelease } from '../policy/judge.ts';
import { statusOf } from '../policy/release-status.ts';
import { withAges } from '../query/ages.ts';
import type { Row } from '../query/fields.ts';
import { defined } from '../text.ts';

/** The releases of a component as queries see them, oldest first. */
export function rowsOf(component: Component, day: Day, staleAfterDays: number): Row[] {
  const { definition, judgement } = component;
  const { sources, support } = definition;
  const ofComponent = defined({
    component: component.name,
    title: definition.title,
    policy: support?.policy ?? 'none',
    freshness: stateOn(component.freshness, day, staleAfterDays),
    datasource: distinct(sources.map((source) => source.datasource)),
    package: distinct(sources.flatMap((source) => ('packageName' in source ? [source.packageName] : []))),
    label: definition.labels,
    releases: judgement.releases.length,
  });
  return judgement.lines.flatMap((line) => {
    const latest = line.releases.findLast((release) => !release.isPrerelease && !release.isDeprecated);
    return line.releases.map((release) => {
      const own = releaseFields(release);
      const isLatest = release === judgement.latest;
      return withAges({ ...ofComponent, ...own, isLatest, isLatestOfLine: release === latest }, day);
    });
  });
}

function releaseFields(release: JudgedRelease): Row {
  const { version, line, releaseTimestamp, isDeprecated, isPrerelease, reasons, recorded } = release;
  const status = statusOf(release);
  return defined({
    version,
    line,
    status,
    reason: distinct(reasons.map(({ text }) => text)),
    isDeprecated,
    isPrerelease,
    isWithdrawn: status === 'withdrawn',
    isSupported: status === 'withdrawn' ? false : release.isSupported,
    releaseTimestamp,
    firstSeen: recorded.firstSeen,
    deprecatedSince: reasons[0]?.from,
    supportedUntil: release.supportedUntil,
  });
}

/** Undefined where there is none: what is unknown has no key. */
function distinct(texts: readonly string[]): readonly string[] | undefined {
  return texts.length === 0 ? undefined : [...new Set(texts)];
}
