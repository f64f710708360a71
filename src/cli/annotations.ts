import { error, warning } from '@actions/core';
import type { Finding } from '../core/schemas/finding.ts';
import { toLogLine } from '../core/text.ts';

// GitHub shows ten of each kind for a step and drops the rest; the log holds all of them.
const shownOfEach = 10;

/** Errors and warnings as annotations of a GitHub workflow run, at the files they are about. */
export function annotate(findings: readonly Finding[]): void {
  const say = { error, warning };
  for (const level of ['error', 'warning'] as const) {
    for (const { subject, message, file } of findings
      .filter((finding) => finding.level === level)
      .slice(0, shownOfEach)) {
      say[level](toLogLine(message), { title: toLogLine(subject), ...(file !== undefined && { file }) });
    }
  }
}
