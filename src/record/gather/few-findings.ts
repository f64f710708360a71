import type { Finding } from '../../core/schemas/finding.ts';
import { toLine } from '../../core/text.ts';

/** What an upstream sends decides how much there is to say about it, so only this much is said. */
const mostOfAKind = 5;
const mostOfAComponent = 100;
const longestMessage = 600;

/** The findings of a component: the first of each kind and how many more there are. Errors call a person, so all are told. */
export function fewFindings(component: string, findings: readonly Finding[]): Finding[] {
  const few: Finding[] = [];
  for (const ofKind of Map.groupBy(findings, kindOf).values()) {
    const [first] = ofKind as [Finding];
    if (first.level === 'error') few.push(...ofKind);
    else {
      few.push(...ofKind.slice(0, mostOfAKind).map(cut));
      const more = ofKind.length - mostOfAKind;
      if (more > 0) few.push(cut({ ...first, message: `${more} more like this: ${first.message}` }));
    }
  }
  if (few.length <= mostOfAComponent) return few;
  const errors = few.filter(({ level }) => level === 'error');
  const others = few.filter(({ level }) => level !== 'error');
  const shown = others.slice(0, Math.max(0, mostOfAComponent - errors.length));
  const message = `${others.length - shown.length} more findings are not shown. Its sources list little that can be read.`;
  return [...errors, ...shown, { level: 'warning', subject: component, message }];
}

/** Two messages are of one kind if they differ in nothing but what they quote and count. */
function kindOf({ level, subject, message }: Finding): string {
  return `${level} ${subject} ${message.replaceAll(/"(?:[^"\\]|\\.)*"|\d+/g, '')}`;
}

function cut(finding: Finding): Finding {
  return { ...finding, message: toLine(finding.message, longestMessage) };
}
