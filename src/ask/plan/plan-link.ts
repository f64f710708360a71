import type { Plan } from '../../core/schemas/published/plan-answer.ts';
import { compareLines, isQuestion } from '../texts/identified-text.ts';

type PlanParts = Pick<Plan, 'items' | 'notRead'>;

/**
 * The list behind `#c=` in the address of a plan: its versions, and the texts of its questions. Empty without any.
 * `svc@2025.1,the%20agent%201.2` stands for the lines "svc 2025.1" and "the agent 1.2".
 */
export function writePlanLink({ items, notRead }: PlanParts): string {
  const versions = items.map(({ line, component, version }) => {
    return { line, text: `${component}@${version}` };
  });
  const questions = notRead.filter(isQuestion).map(({ line, text, didYouMean }) => {
    return { line, text: writeQuestion(text, didYouMean, items) };
  });

  return encodeEntries([...versions, ...questions].sort(compareLines).map(({ text }) => text));
}

/** The address of a plan, below the root of the site. */
export function linkPlan(entries: readonly string[]): string {
  return `mine.html#c=${encodeEntries(entries)}`;
}

/** The list behind `#c=` for versions such as `svc@2025.1` and other lines of a text. */
export function encodeEntries(entries: readonly string[]): string {
  return entries.map((text) => encodeURIComponent(text).replaceAll('%40', '@')).join(',');
}

/**
 * In "svc 2025.1, 2025.3", the question "2025.3" names no component by itself, so it is written behind a version of its component:
 * `svc@2025.1, 2025.3`. A plan has each version once, so this adds none. A text that may mean several components is written alone.
 */
function writeQuestion(
  text: string,
  didYouMean: readonly string[],
  items: PlanParts['items'],
): string {
  const [meaning, ...otherMeanings] = didYouMean;
  const item = items.find(({ component }) => meaning === `${component}@${text}`);
  return item && otherMeanings.length === 0 ? `${item.component}@${item.version}, ${text}` : text;
}

/** The component in `svc@2025.1` and `svc@2025.1, 2025.3`. Another `@` is part of the text of a question, such as an address. */
const componentOfVersion = /^([\w-]+)@(?=v?\d\S*(?:, |$))/i;

/** The text that such a list stands for. */
export function readPlanLink(list: string): string {
  return list
    .split(',')
    .map((entry) => decodeEntry(entry).replace(componentOfVersion, '$1 '))
    .join('\n');
}

/** An entry of the list; as written if its address was cut within a character. */
function decodeEntry(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
