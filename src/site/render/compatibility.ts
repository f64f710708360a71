import type { CompatibilityFile } from '../../core/schemas/published/compatibility-file.ts';
import type { Compatibility } from '../../core/schemas/works-with.ts';
import { toVers } from '../../core/range-forms.ts';
import { parseVersionRange } from '../../core/version-range.ts';
import { judgePair, partnersOf, rangeOf } from '../../core/works-with.ts';
import { versionOfLine, type Partner, type Partners } from '../../decide/compatibility.ts';

/** `compatibility.json`. */
export function renderCompatibilityFile(partners: Partners): string {
  const all = [...partners.values()];
  const statements = all.flatMap(publishedStatements);
  const lines = Object.fromEntries(
    all.map((partner) => [partner.component, greatestByLine(partner, partners)]),
  );
  const document: CompatibilityFile = { statements, lines };
  return `${JSON.stringify(document, undefined, 1)}\n`;
}

function publishedStatements({
  component,
  worksWith = {},
}: Partner): CompatibilityFile['statements'] {
  return Object.entries(worksWith).flatMap(([other, entries]) =>
    entries.map((entry) => ({ component, other, ...entry, vers: versOf(entry) })),
  );
}

function versOf(entry: Compatibility): { versions: string; with: string } {
  const inVers = (range: string) => toVers(parseVersionRange(range)!);
  return {
    versions: inVers(entry.versions ?? `=${entry.recommended}`),
    with: inVers(rangeOf(entry)),
  };
}

/** For each line, the greatest release of each other component that works with the latest release of the line. */
function greatestByLine(
  partner: Partner,
  partners: Partners,
): Record<string, Record<string, string>> {
  const others = partnersOf(partner).flatMap((name) => partners.get(name) ?? []);
  return Object.fromEntries(
    partner.lines.flatMap((line) => {
      const given = versionOfLine(partner, line);
      const good = others.flatMap((other) => {
        const greatest = other.lines
          .flatMap(({ releases }) => releases)
          .findLast(({ version }) => judgePair(other, version, given).answer === 'good');
        return greatest ? [[other.component, greatest.version] as const] : [];
      });
      return good.length > 0 ? [[line.name, Object.fromEntries(good)] as const] : [];
    }),
  );
}
