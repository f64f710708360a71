import { dropUndefined } from '../../../core/model/objects.ts';
import { listPartners, readRange } from '../../../core/model/pair-answers.ts';
import { toVers } from '../../../core/model/vers.ts';
import { parseVersionRange } from '../../../core/model/version-range.ts';
import type { Version } from '../../../core/model/version.ts';
import type { Compatibility } from '../../../core/schemas/definition/works-with.ts';
import type { CompatibilityFile } from '../../../core/schemas/published/small-files.ts';
import {
  judgePartner,
  divideLine,
  type Companion,
  type Partner,
  type Partners,
} from '../../../decide/partners.ts';
import type { SiteFile } from '../site-context.ts';

/** `compatibility.json`. */
export function renderCompatibilityFile(partners: Partners): SiteFile {
  const allPartners = [...partners.values()];
  const document: CompatibilityFile = {
    statements: allPartners.flatMap(listStatements),
    lines: Object.fromEntries(
      allPartners.map((partner) => [partner.component, listCompanionsByLine(partner, partners)]),
    ),
  };
  return { path: 'compatibility.json', body: `${JSON.stringify(document, undefined, 1)}\n` };
}

function listStatements({ component, worksWith = {} }: Partner): CompatibilityFile['statements'] {
  return Object.entries(worksWith).flatMap(([other, entries]) =>
    entries.map((entry) => ({ component, other, ...entry, vers: renderVers(entry) })),
  );
}

function renderVers(entry: Compatibility): { versions: string; with: string } {
  const toVersRange = (range: string) => toVers(parseVersionRange(range)!);
  return {
    versions: toVersRange(entry.versions ?? `=${entry.recommended}`),
    with: toVersRange(readRange(entry)),
  };
}

/**
 * For each line; and where a statement covers only some of its releases, for the last release of each older group, unless that
 * release has the name of the line.
 */
function listCompanionsByLine(
  partner: Partner,
  partners: Partners,
): Record<string, Record<string, Companion>> {
  const others = listPartners(partner)
    .map((name) => partners.get(name))
    .filter((value) => value !== undefined);
  const judged = others.map((other) => ({ other, pairs: judgePartner(partner, other) }));
  const byLine: Record<string, Record<string, Companion>> = {};

  for (const line of partner.lines) {
    const parts = divideLine(line, partner, others);
    const newest = parts.at(-1);

    for (const part of parts) {
      const last = part.at(-1)!;
      const key = part === newest ? line.name : last.text;
      if (part !== newest && key === line.name) {
        continue;
      }

      const companions = findCompanions(judged, last);
      if (Object.keys(companions).length > 0) {
        byLine[key] = companions;
      }
    }
  }

  return byLine;
}

function findCompanions(
  judged: readonly { other: Partner; pairs: ReturnType<typeof judgePartner> }[],
  release: Version,
): Record<string, Companion> {
  const companions: Record<string, Companion> = {};
  for (const { other, pairs } of judged) {
    const companion = pairs.findCompanion(release);
    if (companion) {
      companions[other.component] = dropUndefined(companion);
    }
  }
  return companions;
}
