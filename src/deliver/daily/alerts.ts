import { z } from 'zod';
import { acceptCommand } from '../../decide/sentences.ts';
import { daysBetween, type Day } from '../../core/dates.ts';
import { isError, type Finding } from '../../core/schemas/finding.ts';
import { isHeldEdit, type Trouble } from '../../decide/component-freshness.ts';
import type { ComponentSummary } from '../../decide/component.ts';
import type { Publication } from '../publish/prepare-site.ts';
import { sentence, toLine } from '../../core/text.ts';
import { runbookUrl } from '../../io/program.ts';

/** A problem that does not solve itself, so a person has to act. */
export const Alert = z.object({
  kind: z.enum(['held', 'stale', 'input', 'commit', 'publish', 'key']),
  subject: z.string(),
  /** The problem and the remedy, in sentences. */
  message: z.string(),
});
export type Alert = z.infer<typeof Alert>;

/** A source that is down for a day or two raises no alert; a held one, or one that is silent for too long, does. */
export function sourceAlerts(
  components: readonly ComponentSummary[],
  day: Day,
  staleAfterDays: number,
): Alert[] {
  return components.flatMap(({ name, freshness }) =>
    freshness.troubles.flatMap((trouble) =>
      trouble.kind === 'held'
        ? heldAlert(name, day, trouble)
        : staleAlert(name, trouble, day, staleAfterDays),
    ),
  );
}

function heldAlert(component: string, day: Day, trouble: Trouble): Alert {
  const { source, heldSince = day, reason } = trouble;
  const right = isHeldEdit(trouble) ? 'this is intended' : 'upstream is right';
  const remedy = `If ${right}: ${acceptCommand(trouble)}, and commit data/decisions.ndjson.`;
  const message = `${source} has been held since ${heldSince}: ${sentence(reason)} ${remedy}`;
  return { kind: 'held', subject: component, message };
}

function staleAlert(
  component: string,
  { source, reason, lastAnswered, failures }: Trouble,
  day: Day,
  staleAfterDays: number,
): Alert | [] {
  const days = lastAnswered === undefined ? failures : daysBetween(lastAnswered, day);
  if (days <= staleAfterDays) return [];
  const never = `has not answered for ${days} days`;
  const since = lastAnswered === undefined ? never : `last answered on ${lastAnswered}`;
  const remedy = `Look at its address in components/${component}.json.`;
  return { kind: 'stale', subject: component, message: `${source} ${since}: ${sentence(reason)} ${remedy}` };
}

/** The reasons why the site was not published. */
export function publicationAlerts(publication: Publication): Alert[] {
  if (publication.kind !== 'refused' && publication.kind !== 'failed') return [];
  return alertsOf('publish', publication.findings.filter(isError));
}

export function alertsOf(kind: Alert['kind'], findings: readonly Finding[]): Alert[] {
  return findings.map(({ subject, message }) => ({ kind, subject, message }));
}

/** Each is also the heading of a section of the runbook. */
const headings: Record<Alert['kind'], string> = {
  held: 'Held until a person has checked the answer of its source',
  stale: 'Silent for too long',
  input: 'Invalid definition or recorded file',
  commit: 'Gathered data could not be committed',
  publish: 'The site was not published',
  key: 'Access keys that end soon',
};

/** The section of the runbook of this version that says what to do. */
export function remedyUrl({ kind }: Alert): string {
  return runbookUrl(headings[kind]);
}

/** GitHub limits the text of an issue to 65,536 characters, which some of its clients count in bytes. */
const maxSectionBytes = 50_000;
const maxMessageLength = 2_000;

/**
 * The alerts in Markdown, for an issue or a message; empty without alerts. The same alerts give the same text. What comes from
 * upstream is one line of indented code, which mentions nobody and formats nothing.
 */
export function alertText(alerts: readonly Alert[]): string {
  let size = 0;
  const sections = alerts
    .map((alert) => {
      const line = `${toLine(alert.subject, 200)}: ${toLine(alert.message, maxMessageLength)}`;
      return `### ${headings[alert.kind]}\n\n    ${line}\n\n[What to do](${remedyUrl(alert)})\n`;
    })
    .filter((section) => (size += Buffer.byteLength(section)) <= maxSectionBytes);
  const left = alerts.length - sections.length;
  const more = left === 0 ? '' : `\n**And ${left} more**: the log of the run lists all.\n`;
  return `${sections.join('\n')}${more}`;
}
