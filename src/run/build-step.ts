import { buildUnlessStopped, type BuildResult } from '../site/build-site.ts';
import type { RunContext } from './run-context.ts';

type BuildInput = Pick<RunContext, 'root' | 'out' | 'day' | 'baseUrl' | 'report' | 'signal'>;

/** Builds the site and prints a table of its components. Throws the reason of an aborted signal. */
export async function build(input: BuildInput): Promise<BuildResult> {
  const { root, out, day, baseUrl, report, signal } = input;
  const built = await buildUnlessStopped({ root, out, day, baseUrl }, signal);
  const { files, written, removed, components } = built;
  const rows = components.map(({ name, latest, releaseCount, freshness }) => [
    name,
    latest?.version ?? '-',
    releaseCount,
    freshness.state,
  ]);
  report.finding(...built.findings);

  report.print(
    { headings: ['component', 'latest', 'releases', 'freshness'], rows },
    '',
    `${out}: ${files} files for ${day}; ${written} written, ${files - written} unchanged, ${removed} removed.`,
  );

  return built;
}

/** The report of a build for machines. */
export function describeBuild({ root, out, day }: BuildInput, built: BuildResult): object {
  return {
    verb: 'build',
    root: root.dir,
    out,
    asOf: day,
    files: built.files,
    written: built.written,
    removed: built.removed,
    components: built.components.map(({ name, latest, releaseCount, freshness }) => ({
      component: name,
      latest: latest?.version,
      releases: releaseCount,
      state: freshness.state,
    })),
    findings: built.findings,
  };
}
