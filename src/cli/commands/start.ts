import { buildDocument, runBuild } from './build.ts';
import { InputError, type Invocation } from './command.ts';
import { gatherDocument, runGather, summariseRun } from './gather.ts';
import { summaryTable } from './summary-table.ts';

/** Gathers, then builds, even if something could not be gathered; the exit status tells. */
export async function start(invocation: Invocation): Promise<number> {
  const { report, signal } = invocation;
  const gathered = await runGather(invocation);
  const gather = gatherDocument(gathered);
  try {
    const built = signal.aborted ? undefined : runBuild(invocation);
    if (built) await summariseRun(invocation, gathered, summaryTable(built.components));
    report.result({ verb: 'start', gather, ...(built && { build: buildDocument(invocation, built) }) });
    return gathered.status;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    for (const finding of error.findings) report.finding(finding);
    report.result({ verb: 'start', gather, findings: error.findings });
    return 1;
  }
}
