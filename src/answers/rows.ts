import type { Component } from '../policy/component.ts';
import type { JudgedLine, JudgedRelease } from '../policy/judge.ts';
import { statusOf } from '../policy/release-status.ts';
import type { Row } from '../query/fields.ts';
import { defined, distinct } from '../text.ts';

/** The releases of a component as queries see them, oldest first; without what depends on the day asked for. */
export function rowsOf(component: Component): Row[] {
  const ofComponent = componentFields(component);
  const releases = component.judgement.releases.length;
  return component.judgement.lines.flatMap((line) =>
    lineRows(component, line).map((row) => ({
      component: component.name,
      ...ofComponent,
      releases,
      line: line.name,
      ...row,
    })),
  );
}

/** What all releases of a component share. */
export function componentFields({ definition }: Component): Row {
  const { title, sources, support } = definition;
  return defined({
    title,
    policy: support?.policy ?? 'none',
    datasource: distinct(sources.map((source) => source.datasource)),
    package: distinct(sources.flatMap((source) => ('packageName' in source ? [source.packageName] : []))),
    label: definition.labels,
  });
}

/** What each release of a line has of its own, oldest first. */
export function lineRows(component: Component, line: JudgedLine): Row[] {
  const { latest } = component.judgement;
  const latestOfLine = line.releases.findLast((release) => !release.isPrerelease && !release.isDeprecated);
  return line.releases.map((release) => ({
    ...releaseFields(release),
    isLatest: release === latest,
    isLatestOfLine: release === latestOfLine,
  }));
}

function releaseFields(release: JudgedRelease): Row {
  const { version, releaseTimestamp, isDeprecated, isPrerelease, reasons, recorded } = release;
  const status = statusOf(release);
  return defined({
    version,
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
