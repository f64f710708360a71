import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { dropUndefined } from '../core/model/objects.ts';
import type { Finding } from '../core/schemas/finding.ts';
import { toLogLine } from '../core/text/foreign-text.ts';
import { isAbsent } from '../io/files/file-system.ts';

/** GitHub shows ten annotations of each level for a step; the log has all. */
const maxPerLevel = 10;

/** Writes errors and warnings as annotations of a GitHub workflow run, at their files. `dir`: the folder of the index. */
export async function annotate(findings: readonly Finding[], dir: string): Promise<void> {
  if (findings.length === 0) {
    return;
  }

  const { error, warning } = await import('@actions/core');
  for (const [level, write] of Object.entries({ error, warning })) {
    const group = findings.filter((finding) => finding.level === level);
    for (const { subject, message, file, line } of group.slice(0, maxPerLevel)) {
      // A runner shortens an absolute path to the path in the repository, where an index may be in a folder.
      const path = file && resolve(dir, file);
      const title = toLogLine(subject);
      write(toLogLine(message), dropUndefined({ title, file: path, startLine: line }));
    }
  }
}

/** Sets outputs, on which later steps of the job have conditions. */
export async function setOutputs(outputs: object): Promise<void> {
  const { setOutput } = await import('@actions/core');
  for (const [name, value] of Object.entries(outputs)) {
    setOutput(name, value);
  }
}

/** GitHub rejects a summary of more than 1 MiB: half of it is for findings, half for results. */
const maxBytesPerPart = 2 ** 19 - 100;

/** Adds findings and results to the summary of the job, as Markdown. Programs that imitate GitHub's runner may name a missing file. */
export function appendSummary(
  path: string | undefined,
  findings: readonly string[],
  results: readonly string[],
): void {
  const lines = [...renderPart(findings), ...renderPart(results)];
  if (path && lines.length > 0 && !isAbsent(path)) {
    appendFileSync(path, `\n${lines.join('\n')}\n\n`);
  }
}

/** The first lines, up to the limit of a part, as indented code: the summary is Markdown and HTML, and foreign text must not become markup. */
function renderPart(lines: readonly string[]): string[] {
  const rendered: string[] = [];
  let bytes = 0;

  for (const line of lines) {
    const code = `    ${toLogLine(line)}`;
    bytes += Buffer.byteLength(code) + 1;
    if (bytes > maxBytesPerPart) {
      break;
    }

    rendered.push(code);
  }

  return rendered;
}
