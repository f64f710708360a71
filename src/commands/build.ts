import { buildSite } from '../build/site.ts';
import { ForeignFilesError } from '../site-folder/write.ts';
import { InputError, type Invocation } from './command.ts';
import { summaryTable } from './summary-table.ts';

export async function build(invocation: Invocation): Promise<number> {
  const { root, out, day, baseUrl, report } = invocation;
  const built = runBuild(invocation);
  if (!('summaries' in built)) throw new InputError(built.findings);
  for (const finding of built.findings) report.finding(finding);
  report.table(summaryTable(built.summaries));
  report.line('');
  report.line(
    `${out}: ${built.files} files for ${day}; ${built.written} written, ${built.files - built.written} unchanged, ${built.removed} removed.`,
  );
  report.result({
    verb: 'build',
    root: root.dir,
    out,
    asOf: day,
    ...(baseUrl !== undefined && { baseUrl }),
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
  });
  return 0;
}

function runBuild({ root, out, day, baseUrl }: Invocation): ReturnType<typeof buildSite> {
  try {
    return buildSite({ root, out, day, ...(baseUrl !== undefined && { baseUrl }) });
  } catch (error) {
    if (!(error instanceof ForeignFilesError)) throw error;
    throw new InputError([{ level: 'error', subject: '--out', message: error.message }]);
  }
}
