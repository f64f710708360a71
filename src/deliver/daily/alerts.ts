import { z } from 'zod';
import { acceptArguments } from '../../decide/sentences.ts';
import { portableCommandLine } from '../../core/command-prefix.ts';
import { daysBetween, type Day } from '../../core/dates.ts';
import type { Trouble } from '../../decide/component-freshness.ts';
import type { ComponentState } from '../../decide/component.ts';
import type { Publication } from '../publish/publish-site.ts';
import { sentence } from '../../core/text.ts';

/** A problem that does not solve itself, so a person has to act. */
export const Alert = z.object({
  kind: z.enum(['held', 'stale', 'large', 'input', 'commit', 'publish']),
  subject: z.string(),
  /** The problem and the remedy, in sentences. */
  message: z.string(),
});
export type Alert = z.infer<typeof Alert>;

/** A source that is down for a day or two raises no alert; a held one, or one that is silent for too long, does. */
export function sourceAlerts(
  components: readonly ComponentState[],
  day: Day,
  staleAfterDays: number,
): Alert[] {
  return components.flatMap(({ name, freshness }) =>
    freshness.troubles.flatMap((trouble) =>
      trouble.kind === 'held'
        ? heldAlert(name, day, trouble)
        : (staleAlert(name, trouble, day, staleAfterDays) ?? []),
    ),
  );
}

function heldAlert(component: string, day: Day, { source, heldSince = day, reason }: Trouble): Alert {
  const remedy = `If upstream is right: ${portableCommandLine(acceptArguments(component))}, and commit data/.`;
  const message = `${source} has been held since ${heldSince}: ${sentence(reason)} ${remedy}`;
  return { kind: 'held', subject: component, message };
}

function staleAlert(
  component: string,
  trouble: Trouble,
  day: Day,
  staleAfterDays: number,
): Alert | undefined {
  const { source, reason, lastAnswered, failures } = trouble;
  const days = lastAnswered === undefined ? failures : daysBetween(lastAnswered, day);
  if (days <= staleAfterDays) return undefined;
  const since =
    lastAnswered === undefined ? `has not answered for ${days} days` : `last answered on ${lastAnswered}`;
  const remedy = `Look at its address in components/${component}.json.`;
  return { kind: 'stale', subject: component, message: `${source} ${since}: ${sentence(reason)} ${remedy}` };
}

/** The reasons why the site was not published. */
export function publicationAlerts(publication: Publication): Alert[] {
  if (publication.kind === 'published' || publication.kind === 'planned') return [];
  return publication.findings
    .filter((finding) => finding.level === 'error')
    .map(({ subject, message }) => ({ kind: 'publish', subject, message }));
}
