import type { DetailsFile } from '../model/published/details-file.ts';
import type { Row } from '../query/fields.ts';
import type { FoldedComponent, FoldedLine } from '../query/folded.ts';
import { defined, distinct } from '../text.ts';

/** What `search.json` holds of a component, from its `details/`: the releases say the same there. */
export function foldedDetails({ title, support, ...details }: DetailsFile): FoldedComponent {
  const { datasource, package: packages, label } = details;
  const byLine = Map.groupBy(details.releases, ({ line }) => line);
  return {
    ...defined({ title, policy: support.policy, datasource, package: packages, label }),
    lines: details.lines.map((line) => foldLine(line, byLine.get(line.line) ?? [], details.latest)),
  };
}

function foldLine(
  { line, isSupported, eolFrom }: DetailsFile['lines'][number],
  releases: DetailsFile['releases'],
  latest: string | undefined,
): FoldedLine {
  const latestOfLine = releases.findLast((release) => !release.isPrerelease && !release.isDeprecated);
  return {
    ...defined({ line, isSupported, supportedUntil: eolFrom }),
    releases: releases.map((release): Row => {
      const { version, status, reasons = [], isDeprecated, isPrerelease } = release;
      const { releaseTimestamp, firstSeen } = release;
      const isWithdrawn = status === 'withdrawn';
      return defined({
        ...{ version, status, isDeprecated, isPrerelease, isWithdrawn, releaseTimestamp, firstSeen },
        reason: distinct(reasons.map(({ text }) => text)),
        isSupported: isWithdrawn ? false : undefined,
        deprecatedSince: reasons[0]?.from,
        isLatest: version === latest,
        isLatestOfLine: release === latestOfLine,
      });
    }),
  };
}
