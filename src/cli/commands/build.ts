import { buildSite, type BuildResult } from '../../site/build-site.ts';
import { ForeignFilesError } from '../../site/own-files.ts';
import { TemplateError } from '../../site/render/html/templates.ts';
import { inputError, shared, type Command, type Invocation } from '../command.ts';
import type { ComponentSummary } from '../../decide/component.ts';
import type { Table } from '../reporter.ts';

export const command: Command = {
  options: shared('root', 'out', 'as-of', 'base-url'),
  details: [
    'Reads components/, data/ and site/, decides for the day what is deprecated, and writes the site. Needs no network.',
    'The site is built beside the output folder and then swapped in, so readers see either the old or the new one.',
  ],
  examples: [
    ['build', 'today, into dist/'],
    ['build --as-of 2026-10-08 --out /tmp/then', 'as of a past day'],
  ],
  run,
};

function run(invocation: Invocation): number {
  invocation.report.document(buildDocument(invocation, runBuild(invocation)));
  return 0;
}

/** Builds and reports line by line. */
export function runBuild(invocation: Invocation): BuildResult {
  const { out, day, report } = invocation;
  const built = buildOrThrow(invocation);
  const unchanged = built.files - built.written;
  report.finding(...built.findings);
  report.print(
    componentsTable(built.components),
    '',
    `${out}: ${built.files} files for ${day}; ${built.written} written, ${unchanged} unchanged, ${built.removed} removed.`,
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
    components: built.components.map(({ name, latest, releases, freshness }) => ({
      component: name,
      latest: latest?.version,
      releases,
      state: freshness.state,
    })),
    findings: built.findings,
  };
}

function buildOrThrow(invocation: Invocation): BuildResult {
  try {
    return buildSite(invocation);
  } catch (error) {
    if (error instanceof ForeignFilesError) throw inputError('--out', error.message);
    if (error instanceof TemplateError) throw inputError('site', error.message);
    throw error;
  }
}

/** The state of the index at a glance. */
function componentsTable(components: readonly ComponentSummary[]): Table {
  return {
    headings: ['component', 'latest', 'releases', 'freshness'],
    rows: components.map(({ name, latest, releases, freshness }) => {
      return [name, latest?.version ?? '-', releases, freshness.state];
    }),
  };
}
