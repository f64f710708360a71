import { listed } from '../text.ts';
import type { Alert } from './alerts.ts';

export interface IssueText {
  title: string;
  body: string;
}

const headings: Record<Alert['kind'], string> = {
  held: 'held, because the answer of its source would take too much away',
  stale: 'silent for too long',
  input: 'a definition or recorded file that cannot be used',
  commit: 'what was gathered could not be recorded',
  publish: 'the site was not published',
};

/** Undefined without alerts. The text does not change as long as the alerts do not. */
export function issueText(alerts: readonly Alert[], runUrl: string | undefined): IssueText | undefined {
  if (alerts.length === 0) return undefined;
  const subjects = [...new Set(alerts.map(({ subject }) => subject))];
  const sections = alerts.map(
    ({ kind, subject, message }) => `### ${subject}: ${headings[kind]}\n\n${verbatim(message)}\n`,
  );
  const run = runUrl === undefined ? '' : `Reported by ${runUrl}. `;
  return {
    title: `The release index needs attention: ${listed(subjects, 3)}`,
    body: `${sections.join('\n')}\n${run}This issue is closed automatically once everything is in order again. .github/RUNBOOK.md says what to do in each case.\n`,
  };
}

/** In a code block, texts from upstream neither mention anyone nor format anything. */
function verbatim(text: string): string {
  const runs = text.match(/`+/g)?.map((run) => run.length) ?? [];
  const fence = '`'.repeat(Math.max(2, ...runs) + 1);
  return `${fence}text\n${text}\n${fence}`;
}
