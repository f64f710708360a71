import { parseBounds, parseStatement } from '../../../core/model/pair-answers.ts';
import { toVers } from '../../../core/model/version-range.ts';
import type { Version } from '../../../core/model/version.ts';
import type {
  Companion,
  CompatibilityFile,
} from '../../../core/schemas/published/compatibility-file.ts';
import {
  divideReleases,
  findCompanion,
  listPairs,
  type ComparedComponent,
  type PartnerPair,
  type ComparedComponents,
} from '../../../decide/partners.ts';
import type { SiteFile } from '../site-context.ts';

/** `compatibility.json`. */
export function renderCompatibilityFile(comparedComponents: ComparedComponents): SiteFile {
  const components = [...comparedComponents.values()];
  const document: CompatibilityFile = {
    statements: components.flatMap(listStatements),
    lines: Object.fromEntries(
      components.map((component) => [
        component.component,
        listCompanionsByLine(component, comparedComponents),
      ]),
    ),
  };
  return { path: 'compatibility.json', body: `${JSON.stringify(document, undefined, 1)}\n` };
}

function listStatements({
  component,
  worksWith = {},
}: ComparedComponent): CompatibilityFile['statements'] {
  return Object.entries(worksWith).flatMap(([other, entries]) =>
    entries.map((entry) => {
      const vers = {
        versions: toVers(parseStatement(entry).versions),
        with: toVers(parseBounds(entry)),
      };
      return { component, other, ...entry, vers };
    }),
  );
}

/**
 * The companions of the newest release of each line, by the name of the line. Where statements divide a line, also those of the last
 * release of each older part, by its version: `2025.1`, and for older releases of this line `2025.1.3`. A part whose last release
 * has the name of the line is absent.
 */
function listCompanionsByLine(
  component: ComparedComponent,
  comparedComponents: ComparedComponents,
): Record<string, Record<string, Companion>> {
  const pairs = listPairs(component, comparedComponents);
  const partners = pairs.map(({ partner }) => partner);
  const byLine: Record<string, Record<string, Companion>> = {};

  for (const line of component.lines) {
    const parts = divideReleases(line.releases, component, partners);
    for (const releases of parts) {
      const last = releases.at(-1) ?? releases[0];
      const isNewest = releases === parts.at(-1);
      const companions = findCompanions(last, pairs);
      if ((isNewest || last.text !== line.name) && Object.keys(companions).length > 0) {
        byLine[isNewest ? line.name : last.text] = companions;
      }
    }
  }

  return byLine;
}

function findCompanions(
  release: Version,
  pairs: readonly PartnerPair[],
): Record<string, Companion> {
  const companions: Record<string, Companion> = {};
  for (const pair of pairs) {
    const companion = findCompanion(pair, release);
    if (companion) {
      companions[pair.partner.component] = companion;
    }
  }
  return companions;
}
