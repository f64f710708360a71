/** Runs the GitHub action for scanning a list that `init` writes, as a GitHub runner does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { saveFile } from '../../src/core/files.ts';

/**
 * Returns a shell command that runs the last step of the action in an index folder.
 * - `inputs`: the action's inputs by name
 * - `summary`: the file to which the step appends its job summary
 */
export function writeScanStep(
  index: string,
  workspace: string,
  inputs: Readonly<Record<string, string>>,
  summary: string,
): string {
  const folder = join(index, '.github/actions/scan');
  const { runs } = load(readFileSync(join(folder, 'action.yml'), 'utf8')) as {
    runs: { steps: { run?: string; env?: Record<string, string> }[] };
  };
  const { run = '', env = {} } = runs.steps.at(-1)!;
  const variables = {
    ...env,
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: folder,
    GITHUB_WORKSPACE: workspace,
    GITHUB_STEP_SUMMARY: summary,
  };
  const words = Object.entries(variables).map(([name, value]) => {
    const text = value.replaceAll(/\$\{\{ (\S+) \}\}/g, (_, expression: string) =>
      expression === 'github.workspace' ? workspace : inputs[expression.replace('inputs.', '')]!,
    );
    return `${name}='${text}'`;
  });
  saveFile(join(folder, 'run.sh'), run);
  saveFile(summary, '');
  return `${words.join(' ')} bash --noprofile --norc -eo pipefail ${folder}/run.sh`;
}
