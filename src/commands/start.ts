import { buildDocument, runBuild } from './build.ts';
import type { Invocation } from './command.ts';
import { gatherDocument, runGather, summariseRun } from './gather.ts';
import { summaryTable } from './summary-table.ts';

/** Gathers, then builds, even if something could not be gathered; the exit status tells. */
export async function start(invocation: Invocation): Promise<number> {
  const gathered = await runGather(invocation);
  if (invocation.signal.aborted) return gathered.status;
  const built = runBuild(invocation);
  await summariseRun(invocation, gathered, summaryTable(built.components));
  invocation.report.result({
    verb: 'start',
    gather: gatherDocument(gathered),
    build: buildDocument(invocation, built),
  });
  return gathered.status;
}
