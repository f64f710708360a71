import { keepSite } from '../site/keep.ts';
import { recallSite, type SiteMemory } from '../site/memory.ts';
import type { BuildOptions, BuiltSite } from '../site/options.ts';
import { TemplateError } from '../model/template-error.ts';
import { ForeignFilesError } from '../site/own-files.ts';
import { InputError, type Invocation } from './command.ts';
import { summaryTable } from './summary-table.ts';

export async function build(invocation: Invocation): Promise<number> {
  const built = await runBuild(invocation);
  invocation.report.result(buildDocument(invocation, built));
  return 0;
}

/** Builds and reports line by line. */
export async function runBuild({ root, out, day, baseUrl, report }: Invocation): Promise<BuiltSite> {
  const options = { root, out, day, ...(baseUrl !== undefined && { baseUrl }) };
  const memory = recallSite(options);
  const built = keepSite(options, memory) ?? (await buildAnew(options, memory));
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
export function buildDocument({ root, out, day }: Invocation, built: BuiltSite): object {
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

async function buildAnew(options: BuildOptions, memory: SiteMemory | undefined): Promise<BuiltSite> {
  // Loaded only where there is something to build.
  const { buildSite } = await import('../site/build-site.ts');
  try {
    const built = buildSite(options, memory);
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
