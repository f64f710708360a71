import { buildSite, type BuiltSite } from '../build/site.ts';
import { ForeignFilesError } from '../site-folder/write.ts';
import { InputError, type Invocation } from './command.ts';
import { summaryTable } from './summary-table.ts';

export function build(invocation: Invocation): Promise<number> {
  const built = runBuild(invocation);
  invocation.report.result(buildDocument(invocation, built));
  return Promise.resolve(0);
}

/** Builds and reports line by line. */
export function runBuild({ root, out, day, baseUrl, report }: Invocation): BuiltSite {
  const built = refusingForeignFiles(() =>
    buildSite({ root, out, day, ...(baseUrl !== undefined && { baseUrl }) }),
  );
  if (!('summaries' in built)) throw new InputError(built.findings);
  for (const finding of built.findings) report.finding(finding);
  report.table(summaryTable(built.summaries));
  const unchanged = built.files - built.written;
  report.line('');
  report.line(
    `${out}: ${built.files} files for ${day}; ${built.written} written, ${unchanged} unchanged, ${built.removed} removed.`,
  );
  return built;
}

/** The report of a build for machines. */
export function buildDocument({ root, out, day }: Invocation, built: BuiltSite): object {
  return {
    verb: 'build',
    root: root.dir,
    out,
    asOf: day,
    files: built.files,
    written: built.written,
    removed: built.removed,
    components: built.summaries.map(({ name, latest, releases, freshness }) => ({
      component: name,
      latest: latest?.version,
      releases,
      state: freshness.state,
    })),
    findings: built.findings,
  };
}

function refusingForeignFiles<T>(build: () => T): T {
  try {
    return build();
  } catch (error) {
    if (!(error instanceof ForeignFilesError)) throw error;
    throw new InputError([{ level: 'error', subject: '--out', message: error.message }]);
  }
}
