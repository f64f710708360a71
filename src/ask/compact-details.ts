import type { DetailsFile } from '../core/schemas/published/details-file.ts';
import type { CompactComponent, CompactLine } from '../core/query/catalogue.ts';
import { fieldsHeldBy, type Row } from '../core/query/fields.ts';
import { formatDuration } from '../core/query/values.ts';
import { onlyPhase } from '../core/phases.ts';
import { defined, distinct, pick } from '../core/text.ts';

type LineDetails = DetailsFile['lines'][number];
type ReleaseDetails = DetailsFile['releases'][number];

/** The releases of a component as queries see them, from its `details/`; without what depends on the day asked for. */
export function compactDetails(details: DetailsFile): CompactComponent {
  const byLine = Map.groupBy(details.releases, ({ line }) => line);
  return {
    ...defined(pick({ ...details, policy: details.support.policy }, fieldsHeldBy('component'))),
    ...defined(pick(details, ['watchesAdvisories'])),
    lines: details.lines.map((line) =>
      shareByLine(line.line, releaseRows(byLine.get(line.line) ?? [], line, details)),
    ),
  };
}

function releaseRows(
  releases: readonly ReleaseDetails[],
  line: LineDetails,
  { latest, watchesAdvisories }: DetailsFile,
): Row[] {
  const isSupported = isCertainlySupported(line);
  const [phase, phaseUntil] =
    isSupported && !line.phases
      ? [onlyPhase, line.supportedUntil]
      : [line.phase, line.phases?.find(({ name }) => name === line.phase)?.until];
  const latestOfLine = releases.findLast((release) => !release.isPrerelease && !release.isDeprecated);
  return releases.map((release) => {
    const { version, status, reasons = [], isDeprecated, isPrerelease } = release;
    const { releaseTimestamp, timestampKind, firstSeen, availableAt } = release;
    const { advisories, fixes, severity, provenance } = release;
    const isVulnerable = release.isVulnerable ?? (watchesAdvisories ? false : undefined);
    const isWithdrawn = status === 'withdrawn';
    return defined({
      ...{ version, status },
      reason: distinct(reasons.map(({ text }) => text)),
      ...{ isDeprecated, isPrerelease, isWithdrawn, isVulnerable },
      ...{ advisory: advisories, fixes, severity },
      isSupported: isWithdrawn ? false : isSupported,
      ...{ releaseTimestamp, timestampKind, firstSeen, availableAt },
      deprecatedSince: reasons[0]?.from,
      supportedUntil: line.supportedUntil,
      supportedUntilKind: line.supportedUntilKind,
      isLts: line.isLts ?? false,
      ...{ phase, phaseUntil },
      isLatest: version === latest,
      isLatestOfLine: release === latestOfLine,
      hasProvenance: provenance !== undefined,
      ...(provenance && buildOf(provenance)),
    });
  });
}

/** Unknown up to the upper bound of its end. */
function isCertainlySupported({ isSupported, supportedUntilKind }: LineDetails): boolean | undefined {
  return isSupported && supportedUntilKind === 'observed' ? undefined : isSupported;
}

function buildOf(provenance: NonNullable<ReleaseDetails['provenance']>) {
  const { startedOn, finishedOn } = provenance;
  const built = startedOn && finishedOn && Date.parse(finishedOn) - Date.parse(startedOn);
  return {
    ...pick(provenance, ['isFromSourceRepository', 'repository', 'builder', 'commit']),
    buildStartTime: startedOn,
    buildDuration: built ? formatDuration(Math.max(0, built)) : undefined,
  };
}

/** Fields that the releases of a line often share. */
const sharable = fieldsHeldBy('verdict');

/** The releases of a line with the fields that all of them share stated once. `releases`: with all of their fields. */
export function shareByLine(line: string, releases: readonly Row[]): CompactLine {
  const shared: Record<string, unknown> = { line };
  const [first = {}, ...others] = releases;
  for (const name of sharable)
    if (first[name] !== undefined && others.every((release) => isSame(release[name], first[name])))
      shared[name] = first[name];
  return { ...shared, releases: releases.map((release) => without(shared, release)) };
}

function isSame(value: Row[keyof Row], other: Row[keyof Row]): boolean {
  if (!Array.isArray(value) || !Array.isArray(other)) return value === other;
  return value.length === other.length && value.every((text, index) => text === other[index]);
}

function without(shared: Readonly<Record<string, unknown>>, release: Row): Row {
  const own: Record<string, unknown> = {};
  for (const name in release) if (!(name in shared)) own[name] = release[name as keyof Row];
  return own;
}
