import { TemplateError } from '../../core/schemas/template-error.ts';
import { buildSite, type BuildResult } from '../../site/build-site.ts';
import { ForeignFilesError } from '../../site/own-files.ts';
import { InputError, type Invocation } from './command.ts';
import { summaryTable } from './summary-table.ts';

export function build(invocation: Invocation): Promise<number> {
  const built = runBuild(invocation);
  invocation.report.result(buildDocument(invocation, built));
  return Promise.resolve(0);
}

/** Builds and reports line by line. */
export function runBuild(invocation: Invocation): BuildResult {
  const { out, day, report } = invocation;
  const built = buildOrRefuse(invocation);
  for (const finding of built.findings) report.finding(finding);
  report.table(summaryTable(built.components));
  const unchanged = built.files - built.written;
  report.line('');
  report.line(
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
      latest,
      releases,
      state: freshness.state,
    })),
    findings: built.findings,
  };
}

function buildOrRefuse(invocation: Invocation): BuildResult {
  try {
    const built = buildSite(invocation);
    if (!('components' in built)) throw new InputError(built.findings);
    return built;
  } catch (error) {
    if (error instanceof ForeignFilesError) throw refusal('--out', error);
    if (error instanceof TemplateError) throw refusal('site', error);
    throw error;
  }
}

function refusal(subject: string, { message }: Error): InputError {
  return new InputError([{ level: 'error', subject, message }]);
}
