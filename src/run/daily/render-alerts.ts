import { toLine } from '../../core/text/foreign-text.ts';
import { runbookFile } from '../../io/program.ts';
import { describeSubject, type Alert } from './alerts.ts';

/** Each is also the heading of a section of the runbook. */
export const headings: Record<Alert['kind'], string> = {
  held: 'Held until you decide',
  stale: 'Silent for too long',
  input: 'Invalid file or folder',
  clock: 'The clock is wrong',
  commit: 'Gathered data could not be committed',
  publish: 'The site was not published',
  key: 'Access keys that end soon',
};

/** GitHub limits the text of an issue to 65,536 characters; some of its clients count bytes. */
const maxSectionBytes = 50_000;
const maxMessageLength = 2_000;

/**
 * The alerts in Markdown, for an issue or a message; empty without alerts. The same alerts give the same text. Text from
 * upstream is one line of indented code, so it cannot mention anybody or contain markup.
 */
export function renderAlerts(alerts: readonly Alert[]): string {
  const sections: string[] = [];
  let bytes = 0;
  for (const alert of alerts) {
    const section = renderAlert(alert);
    bytes += Buffer.byteLength(section);
    if (bytes <= maxSectionBytes) {
      sections.push(section);
    }
  }

  const more = alerts.length - sections.length;
  const note = more === 0 ? '' : `\n**And ${more} more**: the log of the run lists all.\n`;
  return `${sections.join('\n')}${note}`;
}

function renderAlert(alert: Alert): string {
  const { id, kind, since, message } = alert;
  const line = toLine(`${describeSubject(alert)}: ${message}`, maxMessageLength);
  return `### ${headings[kind]}\n\n    ${line}\n\n\`${id}\`, since ${since}. What to do: "${headings[kind]}" in \`${runbookFile}\`\n`;
}
