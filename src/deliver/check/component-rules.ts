import { cutDay, type Day } from '../../core/model/dates.ts';
import {
  compareVersions,
  parseVersion,
  rankKey,
  nameReleaseLine,
  shorten,
  type Version,
} from '../../core/model/version.ts';
import type { SupportPolicy } from '../../core/schemas/definition/support-policy.ts';
import { fileProblem, type Finding } from '../../core/schemas/finding.ts';
import type { RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { isSelected } from '../../core/schemas/scalars.ts';
import { formatList } from '../../core/text/wording.ts';
import type { Component } from '../../decide/component.ts';
import { foldJournal } from '../../decide/fold-journal.ts';
import { describeShortNotices } from '../../decide/line-ends.ts';
import { listOwnEnds } from '../../decide/lines.ts';
import { findUndatedSources } from '../../decide/undated-sources.ts';
import { describeChange } from '../../record/journal/events/describe-change.ts';

/** Rules that a schema cannot express. */
export function checkComponent(component: Component): Finding[] {
  return [
    ...checkDefinition(component),
    ...checkNotice(component),
    ...checkLatest(component),
    ...checkSources(component),
    ...checkDigitGroups(component),
    ...checkShortForms(component),
  ];
}

/** Reports a key of the definition. */
type Warn = (path: string, message: string) => void;

/** A definition must fit the recorded releases. */
function checkDefinition(component: Component): Finding[] {
  const findings: Finding[] = [];
  const file = `components/${component.name}.json`;
  const warn: Warn = (path, message) => {
    findings.push(fileProblem(file, `${path}: ${message}`, 'warning'));
  };
  checkSupport(component, warn);
  checkDeprecated(component, warn);
  checkRanges(component, warn);
  checkAdvisories(component, warn);
  return findings;
}

function checkSupport({ definition, judgement: { lines } }: Component, warn: Warn): void {
  const { support, replacedBy } = definition;
  if (support?.policy === 'ended' && support.reason !== undefined && replacedBy === undefined) {
    warn(
      'support.reason',
      'support ends and no replacedBy names a successor; add one if there is any',
    );
  }

  for (const [line, end] of listLineEnds(support)) {
    const existingLine = lines.find((candidate) => candidate.name === line);
    const began = existingLine && (existingLine.began.atMost ?? existingLine.began.from);
    if (began !== undefined && end < began) {
      warn(`support.lines["${line}"]`, `${end} is before the line's first release (${began})`);
    }
  }
}

/** The ends that a policy states for single lines. */
function listLineEnds(support: SupportPolicy = { policy: 'none' }): [line: string, end: Day][] {
  const ends = listOwnEnds(support).map(({ line, until }): [string, Day] => [line, until]);
  const datedLines = support.policy === 'dated' ? Object.entries(support.lines) : [];
  for (const [line, end] of datedLines) {
    if (typeof end === 'string') {
      ends.push([line, end]);
    }
  }
  return ends;
}

function isEmptyRange({ judgement: { releases } }: Component, range: string): boolean {
  const isInRange = isSelected(range);
  return releases.length > 0 && !releases.some(({ version }) => isInRange(version));
}

function checkDeprecated(component: Component, warn: Warn): void {
  const { releases } = component.judgement;

  for (const [index, { versions }] of (component.definition.deprecated ?? []).entries()) {
    const path = `deprecated[${index}].versions`;
    if (typeof versions === 'string') {
      if (isEmptyRange(component, versions)) {
        warn(path, `"${versions}" includes no recorded release`);
      }

      continue;
    }

    for (const version of versions) {
      const parsed = parseVersion(version);
      if (!parsed) {
        warn(path, `"${version}" has no place in the version order`);
      } else if (!releases.some((release) => compareVersions(release.parsed, parsed) === 0)) {
        warn(path, `"${version}" is not recorded`);
      }
    }
  }
}

function checkRanges(component: Component, warn: Warn): void {
  const { worksWith = {}, upgradeStops = [] } = component.definition;
  for (const [other, entries] of Object.entries(worksWith)) {
    for (const [index, { versions, recommended }] of entries.entries()) {
      const range = versions ?? `=${recommended}`;
      if (isEmptyRange(component, range)) {
        warn(`worksWith.${other}[${index}].versions`, `"${range}" includes no recorded release`);
      }
    }
  }

  for (const [index, stop] of upgradeStops.entries()) {
    const version = typeof stop === 'string' ? stop : stop.at;
    if (isEmptyRange(component, version)) {
      warn(`upgradeStops[${index}]`, `"${version}" is no recorded release or line`);
    }
  }
}

function checkAdvisories({ definition, judgement }: Component, warn: Warn): void {
  const { releases, advisories } = judgement;
  const affectingIds = new Set(
    releases.flatMap((release) => [...release.advisories, ...release.fixes]).map(({ id }) => id),
  );
  for (const { id } of releases.length > 0 ? advisories : []) {
    if (!affectingIds.has(id)) {
      warn(`advisories: ${id}`, 'affects and fixes no recorded release');
    }
  }
  const ranks = new Set(releases.map(({ parsed }) => rankKey(shorten(parsed))));

  for (const [index, { id, fixed = [] }] of (definition.advisories ?? []).entries()) {
    for (const version of fixed) {
      const parsed = parseVersion(version);
      if (!parsed || !ranks.has(rankKey(shorten(parsed)))) {
        warn(`advisories[${index}].fixed`, `${id} is fixed in "${version}", which is not recorded`);
      }
    }
  }
}

/** Judges the journal and the events that the next run would record. The first ends of a component were announced elsewhere. */
function checkNotice(component: Component): Finding[] {
  const { name, judgement, journal } = component;
  if (journal.length === 0) {
    return [];
  }

  const drafts = describeChange(foldJournal(journal), component, judgement.day);
  return describeShortNotices(component, [...journal, ...drafts], judgement.day).map((message) =>
    fileProblem(`components/${name}.json`, `notice: ${message}`, 'warning'),
  );
}

/** With a minimum release age, Renovate never offers a release without a day. */
function checkLatest({ name, judgement: { latest } }: Component): Finding[] {
  if (!latest || latest.releaseDay !== undefined) {
    return [];
  }

  const message = `${latest.version}: the latest version has no day, so Renovate never offers it to users with a minimum release age. The next run that finds it listed records a day; otherwise write a releaseTimestamp.`;
  return [fileProblem(`data/${name}.json`, message, 'warning')];
}

/** Without days, the ends of a policy that counts from the first release cannot be computed. */
function checkSources({
  name,
  definition: { support },
  judgement: { releases },
}: Component): Finding[] {
  const level = support?.policy === 'term' ? 'warning' : 'notice';
  return findUndatedSources(
    releases.map(({ recorded }) => recorded),
    support,
  ).map(({ message }) => fileProblem(`components/${name}.json`, message, level));
}

/**
 * Finds paths of documentation (2.2) among releases (2.2.0). Compares the first version of each release line with the first
 * versions of the neighbouring lines and with the latest version. Skips the oldest line. In the newest line, only fewer groups
 * are odd, since schemes gain groups.
 */
function checkDigitGroups({ name, judgement: { releases, latest } }: Component): Finding[] {
  const lines = Map.groupBy(
    releases.filter(({ isPrerelease }) => !isPrerelease),
    ({ parsed }) => nameReleaseLine(parsed, 2),
  ).values();

  // If the first recorded version of a line is a patch, it does not show the scheme.
  const firsts = [...lines.flatMap((line) => line.slice(0, 1))].filter(({ parsed }) =>
    parsed.groups.slice(2).every((group) => Number(group) === 0),
  );
  const countGroups = ({ parsed }: { parsed: Version }) => parsed.groups.length;

  const misfits = firsts.filter((first, index) => {
    const [before, after] = [firsts[index - 1], firsts[index + 1]];
    if (!before) {
      return false;
    }
    if (!after) {
      return countGroups(first) < countGroups(before);
    }

    return [before, after, latest ?? after].every(
      (other) => countGroups(other) !== countGroups(first),
    );
  });
  if (misfits.length === 0) {
    return [];
  }

  const versions = formatList(
    misfits.map(({ version }) => version),
    5,
  );
  const message = `${versions}: differs from the neighbouring release lines in the number of digit groups. A path of documentation is not a release: remove versions that were never released`;
  return [fileProblem(`data/${name}.json`, message, 'notice')];
}

const earliestPlausibleDay: Day = '2000-01-01';

/** No recorded day may be in the future, or too early for Renovate. */
export function checkRecordedDays(
  component: string,
  recorded: readonly RecordedRelease[],
  today: Day,
): Finding[] {
  return recorded.flatMap((release) =>
    listImpossibleDays(release, today).map((message) =>
      fileProblem(`data/${component}.json`, `${release.version}: ${message}`),
    ),
  );
}

function listImpossibleDays(
  { releaseTimestamp, firstSeen, withdrawnSince, deprecatedSince }: RecordedRelease,
  today: Day,
): string[] {
  const messages = Object.entries({
    releaseTimestamp,
    firstSeen,
    withdrawnSince,
    deprecatedSince,
  })
    .filter(([, value]) => value !== undefined && cutDay(value) > today)
    .map(([key, value]) => `${key}: ${value} is in the future`);
  if (releaseTimestamp === undefined || cutDay(releaseTimestamp) >= earliestPlausibleDay) {
    return messages;
  }

  return [
    `releaseTimestamp: ${releaseTimestamp} is before ${earliestPlausibleDay}, which Renovate does not accept as a date`,
    ...messages,
  ];
}

/** Finds releases that are listed as `X.Y` and `X.Y.0`, with a day each: the second is new, and greater. */
function checkShortForms({ name, judgement: { releases } }: Component): Finding[] {
  const groups = Map.groupBy(releases, ({ parsed }) => rankKey(shorten(parsed))).values();
  const pairs = [...groups.filter((group) => group.length > 1)].map((group) =>
    group.map(({ version }) => version).join(' and '),
  );
  if (pairs.length === 0) {
    return [];
  }

  const message = `${formatList(pairs, 3)}: publishers use both names for one release. If it is one, leave out the other name with "allowedVersions" of its source`;
  return [fileProblem(`data/${name}.json`, message, 'notice')];
}
