import { runRenovate, type Run } from './client.ts';

export type Pin = readonly [component: string, version: string];

/** Runs Renovate over a Dockerfile with these pins; `configuration` by default extends only the preset of the site. */
export function runOverPins(
  pins: readonly Pin[],
  site: { origin: string; datasource: string; token?: string },
  configuration: object = {},
): Promise<Run> {
  return runRenovate(repositoryOf(pins, site, configuration), site);
}

/** The files of a repository with these pins. */
export function repositoryOf(
  pins: readonly Pin[],
  site: { origin: string; datasource: string },
  configuration: object = {},
): Record<string, string> {
  return {
    'renovate.json': JSON.stringify({
      extends: [`${site.origin}/renovate.json`],
      ...configuration,
    }),
    Dockerfile: dockerfile(site.datasource, pins),
  };
}

/** Proposed versions in the order of their numbers. */
export function inOrder(versions: readonly string[]): string[] {
  return versions.toSorted(new Intl.Collator('en', { numeric: true }).compare);
}

/** A Dockerfile that pins each of the versions. */
function dockerfile(datasource: string, pins: readonly Pin[]): string {
  const lines = pins.map(
    ([component, version], index) =>
      `# renovate: datasource=custom.${datasource} depName=${component}\nARG PIN${index}_VERSION="${version}"\n`,
  );
  return `FROM scratch\n${lines.join('')}`;
}
