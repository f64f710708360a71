import { listed, toLine } from '../../core/text.ts';
import type { Alert } from './alerts.ts';

export interface IssueText {
  title: string;
  body: string;
}

/** In the body of every issue that is ours, unseen by readers: whatever lacks it belongs to somebody else. */
export const issueMark = '<!-- release-index: attention -->';

const headings: Record<Alert['kind'], string> = {
  held: 'held, because what its source answers is to be looked at first',
  stale: 'silent for too long',
  large: 'too large for the host, so that it stays as it was',
  input: 'a definition or recorded file that cannot be used',
  commit: 'what was gathered could not be recorded',
  publish: 'the site was not published',
};

/** GitHub takes 256 characters of a title, and 65,536 of a body, which some of its clients count in bytes. */
const mostTitle = 250;
const mostSections = 50_000;
const mostMessage = 2_000;

/** Undefined without alerts. The text does not change as long as the alerts do not. */
export function issueText(alerts: readonly Alert[], runUrl: string | undefined): IssueText | undefined {
  if (alerts.length === 0) return undefined;
  const subjects = [...new Set(alerts.map(({ subject }) => subject))];
  const sections = asManyAsFit(alerts.map(sectionOf));
  const left = alerts.length - sections.length;
  const more =
    left === 0 ? '' : `**And ${left} more**, for which there is no room here: the run lists all.\n\n`;
  const run = runUrl === undefined ? '' : `Reported by ${runUrl}. `;
  return {
    title: toLine(`The release index needs attention: ${listed(subjects, 3)}`, mostTitle),
    body: `${sections.join('\n')}\n${more}${run}This issue is closed automatically once everything is in order again. .github/RUNBOOK.md says what to do in each case.\n\n${issueMark}\n`,
  };
}

function sectionOf({ kind, subject, message }: Alert): string {
  return `### ${inCode(subject)}: ${headings[kind]}\n\n${verbatim(toLine(message, mostMessage))}\n`;
}

function asManyAsFit(sections: readonly string[]): string[] {
  let size = 0;
  return sections.filter((section) => (size += Buffer.byteLength(section)) <= mostSections);
}

/** In a code block, texts from upstream neither mention anyone nor format anything. */
function verbatim(text: string): string {
  const fence = fenceFor(text, 3);
  return `${fence}text\n${text}\n${fence}`;
}

function inCode(text: string): string {
  const line = toLine(text, 200);
  const fence = fenceFor(line, 1);
  return fence === '`' ? `\`${line}\`` : `${fence} ${line} ${fence}`;
}

/** More backticks in a row than the text has. */
function fenceFor(text: string, least: number): string {
  const runs = text.match(/`+/g)?.map((run) => run.length) ?? [];
  return '`'.repeat(Math.max(least - 1, ...runs) + 1);
}
