import type { DailyReport } from './report.ts';

export interface IssueText {
  title: string;
  body: string;
}

const kinds: Record<DailyReport['attention'][number]['kind'], string> = {
  held: 'held: what upstream answers would take away too much',
  stale: 'silent for too long',
  input: 'a definition or recorded file that cannot be used',
  commit: 'what was gathered could not be recorded',
  publish: 'the site was not published',
};

/** Undefined where nobody is needed. The same text as long as the same is wrong. */
export function issueText(
  attention: DailyReport['attention'],
  runUrl: string | undefined,
): IssueText | undefined {
  if (attention.length === 0) return undefined;
  const subjects = [...new Set(attention.map(({ subject }) => subject))];
  const about =
    subjects.length > 3
      ? `${subjects.slice(0, 3).join(', ')} and ${subjects.length - 3} more`
      : subjects.join(', ');
  const items = attention.map(
    ({ kind, subject, message }) => `### ${subject}: ${kinds[kind]}\n\n${verbatim(message)}\n`,
  );
  const run = runUrl === undefined ? '' : `Seen in ${runUrl}. `;
  return {
    title: `The release index needs a look: ${about}`,
    body: `${items.join('\n')}\n${run}This issue closes itself when all is well again; how to deal with each case is in .github/RUNBOOK.md.\n`,
  };
}

/** Texts from upstreams mention nobody and format nothing. */
function verbatim(text: string): string {
  const runs = text.match(/`+/g)?.map((run) => run.length) ?? [];
  const fence = '`'.repeat(Math.max(2, ...runs) + 1);
  return `${fence}text\n${text}\n${fence}`;
}
