import { setWith, type Choice } from '../core/compatible-set.ts';
import type { Catalogue, PlacedRelease } from '../core/query/catalogue.ts';
import type { CompatibleSet, SetPart } from '../core/schemas/published/compatible-set.ts';
import type { ComponentVersion } from '../core/works-with.ts';
import { upgradePath } from '../core/upgrade-path.ts';
import { compareToBound } from '../core/version-range.ts';
import { parseVersion } from '../core/version.ts';
import type { DetailsOn } from './details-on.ts';
import type { PublishedIndex } from './published-index.ts';
import { namedVersions } from './ask.ts';

/**
 * The versions of other components to use with the versions in `texts`, such as svc@2025.1: today, and after the next upgrade step
 * of the first version. Throws an `UnknownNameError`.
 */
export async function compatibleSet(
  index: PublishedIndex,
  texts: readonly string[],
): Promise<CompatibleSet> {
  const given = await namedVersions(index, texts);
  const choices = choicesIn(await index.catalogue());
  const next = given[0] && nextStep(given[0], await index.details(given[0].component));
  return {
    asOf: await index.day(),
    ...setWith(given, choices),
    next: next && setWith([next], choices),
  };
}

function nextStep({ component, version }: ComponentVersion, details: DetailsOn | undefined) {
  if (!details?.latest) {
    return undefined;
  }
  const path = upgradePath(details, details.releases, version, details.latest);
  const step = path.find(({ when }) => when === undefined) ?? details.latest;
  const [from, to] = [parseVersion(version), parseVersion(step.version)];
  return from && to && compareToBound(to, from) > 0
    ? { component, version: step.version }
    : undefined;
}

/** The components with statements. */
function choicesIn(catalogue: Catalogue): Map<string, Choice> {
  const stated = catalogue.flatMap((release) => {
    return release.statements ? { ...release, statements: release.statements } : [];
  });
  const choices = Array.from(
    Map.groupBy(stated, ({ statements }) => statements.component),
    ([component, releases]): [string, Choice] => {
      const [{ statements, shared }] = releases;
      const usable = releases.filter(isUsable).map(({ own }) => own.version);
      return [component, { ...statements, title: String(shared.title ?? component), usable }];
    },
  );
  return new Map(choices);
}

/** Whether a stable release may be used: not deprecated, no known end of support in the past, no known advisory. */
function isUsable({ own }: PlacedRelease): boolean {
  return (
    !own.isPrerelease && !own.isDeprecated && own.isSupported !== false && own.isVulnerable !== true
  );
}

/** The set as text: a table of the versions today and after the next step, then conflicts and missing versions. */
export function setText(found: CompatibleSet): string {
  const parts: SetPart[] = [found, found.next ?? []].flat();
  const cells = parts.map(cellsOf);
  const components = [...new Set(cells.flatMap((of) => [...of.keys()]))].sort();
  if (components.length === 0) {
    return `Nothing is stated about ${namesOf(found)}.`;
  }
  const heads = parts.map(
    (part, index) => `${index === 0 ? 'with' : 'then with'} ${namesOf(part)}`,
  );
  const rows = components.map((component) => [
    component,
    ...cells.map((of) => of.get(component) ?? 'none'),
  ]);
  const table = inColumns([['', ...heads], ...rows]);
  const remarks = parts.flatMap(({ conflicts, without }) => [
    ...conflicts.map((text) => `They do not work together: ${text}`),
    ...without.map(({ component, reason }) => `${component}: none. ${reason}`),
  ]);
  return [...table, ...new Set(remarks)].join('\n');
}

function namesOf({ given }: SetPart): string {
  return given.map(({ component, version }) => `${component} ${version}`).join(', ');
}

function cellsOf({ set, notStated, without }: SetPart): Map<string, string> {
  return new Map([
    ...set.map(
      (one) => [one.component, one.version + (one.isRecommended ? ', recommended' : '')] as const,
    ),
    ...notStated.map(({ component, version }) => [component, `not stated; ${version}`] as const),
    ...without.map(({ component }) => [component, 'none'] as const),
  ]);
}

function inColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, place) =>
    Math.max(...rows.map((row) => row[place]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((text, place) => text.padEnd(widths[place] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
