import type { DetailsFile } from '../core/schemas/published/details-file.ts';
import type { CompactComponent } from '../core/query/catalogue.ts';
import { fieldsHeldBy, type Row } from '../core/query/fields.ts';
import { formatDuration } from '../core/query/values.ts';
import { defined, distinct, pick } from '../core/text.ts';

type LineDetails = DetailsFile['lines'][number];
type ReleaseDetails = DetailsFile['releases'][number];

/** The releases of a component as queries see them, from its `details/`; without what depends on the day asked for. */
export function compactDetails(details: DetailsFile): CompactComponent {
  const byLine = Map.groupBy(details.releases, ({ line }) => line);
  return {
    ...defined(pick({ ...details, policy: details.support.policy }, fieldsHeldBy('component'))),
    lines: details.lines.map((line) => ({
      line: line.line,
      releases: releaseRows(byLine.get(line.line) ?? [], line, details.latest),
    })),
  };
}

function releaseRows(
  releases: readonly ReleaseDetails[],
  line: LineDetails,
  latest: string | undefined,
): Row[] {
  const latestOfLine = releases.findLast((release) => !release.isPrerelease && !release.isDeprecated);
  return releases.map((release) => {
    const { version, status, reasons = [], isDeprecated, isPrerelease } = release;
    const { releaseTimestamp, timestampKind, firstSeen, availableAt } = release;
    const { advisories, fixes, severity, isVulnerable, provenance } = release;
    const { startedOn, finishedOn } = provenance ?? {};
    const built = startedOn && finishedOn && Date.parse(finishedOn) - Date.parse(startedOn);
    const isWithdrawn = status === 'withdrawn';
    return defined({
      ...{ version, status },
      reason: distinct(reasons.map(({ text }) => text)),
      ...{ isDeprecated, isPrerelease, isWithdrawn, isVulnerable },
      ...{ advisory: advisories, fixes, severity },
      isSupported: isWithdrawn ? false : line.isSupported,
      ...{ releaseTimestamp, timestampKind, firstSeen, availableAt },
      deprecatedSince: reasons[0]?.from,
      supportedUntil: line.supportedUntil,
      supportedUntilKind: line.supportedUntilKind,
      isLts: line.isLts ?? false,
      phase: line.phase,
      phaseUntil: line.phases?.find(({ name }) => name === line.phase)?.until,
      isLatest: version === latest,
      isLatestOfLine: release === latestOfLine,
      hasProvenance: provenance !== undefined,
      ...pick({ ...provenance }, ['isFromSourceRepository', 'repository', 'builder', 'commit']),
      buildStartTime: startedOn,
      buildDuration: built ? formatDuration(Math.max(0, built)) : undefined,
    });
  });
}
