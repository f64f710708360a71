import { daysBetween, type Day } from '../dates.ts';
import type { Trouble } from '../policy/component-freshness.ts';
import type { ComponentState } from '../policy/component.ts';
import type { Publication } from '../publish/publish.ts';

/** Something that does not heal by itself: a person has to look. */
export interface Attention {
  kind: 'held' | 'stale' | 'input' | 'commit' | 'publish';
  subject: string;
  /** What happened and what to do, in sentences. */
  message: string;
}

/** A source that is down for a day or two is no reason to call anyone; one that is held, or silent for long, is. */
export function needingAttention(
  components: readonly ComponentState[],
  day: Day,
  staleAfterDays: number,
): Attention[] {
  return components.flatMap(({ name, freshness }) =>
    freshness.troubles.flatMap((trouble) => attentionFor(name, trouble, day, staleAfterDays) ?? []),
  );
}

function attentionFor(
  component: string,
  trouble: Trouble,
  day: Day,
  staleAfterDays: number,
): Attention | undefined {
  const { source, kind, lastAnswered, heldSince, failures } = trouble;
  const reason = trouble.reason.replace(/\.?$/, '.');
  if (kind === 'held') {
    const remedy = `If upstream is right: npm run gather -- ${component} --accept, and commit data/.`;
    return {
      kind: 'held',
      subject: component,
      message: `${source} is held since ${heldSince ?? day}: ${reason} ${remedy}`,
    };
  }
  const days = lastAnswered === undefined ? failures : daysBetween(lastAnswered, day);
  if (days <= staleAfterDays) return undefined;
  const since =
    lastAnswered === undefined ? `has not answered for ${days} days` : `last answered on ${lastAnswered}`;
  return {
    kind: 'stale',
    subject: component,
    message: `${source} ${since}: ${reason} Look at its address in components/${component}.json.`,
  };
}

/** What kept the site from being published. */
export function publicationAttention(publication: Publication): Attention[] {
  if (publication.kind === 'published' || publication.kind === 'planned') return [];
  return publication.findings
    .filter((finding) => finding.level === 'error')
    .map(({ subject, message }) => ({ kind: 'publish', subject, message }));
}
