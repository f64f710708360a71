import { buildSite, type BuildResult } from '../../site/build-site.ts';
import { ForeignFilesError } from '../../site/own-files.ts';
import { shared, type Command, type Invocation } from '../command.ts';
import { defined } from '../../core/text/text.ts';
import type { ComponentSummary } from '../../decide/component.ts';
import { inputError } from '../../core/schemas/finding.ts';

const optionTable = shared('root', 'out', 'as-of', 'base-url');
type Options = typeof optionTable;

export const command: Command<Options> = {
  options: optionTable,
  details: [
    'Reads components/, data/ and site/, computes support and deprecations for the day, and writes the site. Needs no network.',
    'The site is built next to the output folder and then swapped in, so readers see either the old or the new site.',
  ],
  examples: [
    ['build', 'today, into dist/'],
    ['build --as-of 2026-10-08 --out /tmp/then', 'as of a past day'],
  ],
  run,
};

function run(invocation: Invocation<Options>): number {
  invocation.report.document(buildDocument(invocation, runBuild(invocation)));
  return 0;
}

/** Builds and reports line by line. */
export function runBuild(invocation: Invocation<Options>): BuildResult {
  const { out, day, report } = invocation;
  const built = buildOrThrow(invocation);
  const { files, written, removed, components } = built;
  const rows = components.map(({ name, latest, releases, freshness }) => {
    return [name, latest?.version ?? '-', releases, freshness.state];
  });

  report.finding(...built.findings);

  report.print(
    { headings: ['component', 'latest', 'releases', 'freshness'], rows },
    '',
    `${out}: ${files} files for ${day}; ${written} written, ${files - written} unchanged, ${removed} removed.`,
  );

  return built;
}

/** The report of a build for machines. */
export function buildDocument({ root, out, day }: Invocation, built: BuildResult): object {
  return {
    verb: 'build',
    root: root.dir,
    out,
    asOf: day,
    files: built.files,
    written: built.written,
    removed: built.removed,
    components: built.components.map(componentFacts),
    findings: built.findings,
  };
}

/** The state of a component in reports for machines. */
export function componentFacts({ name, latest, releases, freshness }: ComponentSummary) {
  return defined({ component: name, latest: latest?.version, releases, state: freshness.state });
}

function buildOrThrow(invocation: Invocation): BuildResult {
  try {
    return buildSite(invocation);
  } catch (error) {
    if (error instanceof ForeignFilesError) {
      throw inputError('--out', error.message);
    }

    throw error;
  }
}
