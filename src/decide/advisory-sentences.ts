import { describeExploitation } from '../core/model/words.ts';
import type { Advisory } from '../core/schemas/recorded/recorded.ts';
import { formatList } from '../core/text/wording.ts';
import type { Security } from './advisories.ts';

/** Up to two sentences on the security of a release. */
export function describeSecurity({
  advisories,
  fixes,
}: Pick<Security, 'advisories' | 'fixes'>): string[] {
  const sentences: string[] = [];

  if (advisories.length > 0) {
    const affecting = advisories.map(
      (advisory) => `${advisory.id} (${describeAdvisory(advisory)})`,
    );
    sentences.push(`Vulnerable: ${formatList(affecting, 3)}.`);
  }
  if (fixes.length > 0) {
    const ids = fixes.map(({ id }) => id);
    sentences.push(`Fixes ${formatList(ids, 3)}.`);
  }

  return sentences;
}

/** `exploited since 2026-11-03; high; fixed in 2026.2.1` */
export function describeAdvisory(advisory: Advisory): string {
  const facts = describeKnownFacts(advisory);
  return advisory.fixed ? facts : joinFacts(facts, 'no fixed version is known');
}

/** For a text that must stay true: without "no fixed version is known". Empty if the advisory states no facts. */
export function describeKnownFacts(advisory: Advisory): string {
  const { severity, fixed } = advisory;
  const remedy = fixed && `fixed in ${formatList(fixed, 3)}`;
  return joinFacts(describeExploitation(advisory), severity, remedy);
}

function joinFacts(...facts: readonly (string | undefined)[]): string {
  return facts.filter(Boolean).join('; ');
}
