import { isQuestion } from '../../../ask/texts/identify.ts';
import type { Plan } from '../../../core/schemas/published/plan-answer.ts';

/** The list behind `#c=` in the address of a plan: its versions, and the texts of its questions. Empty without any. */
export function writePlanLink({ items, notRead }: Pick<Plan, 'items' | 'notRead'>): string {
  const lines = items.map(({ line, component, version }) => {
    return { line, text: `${component}@${version}` };
  });
  for (const { line, text, didYouMean } of notRead.filter(isQuestion)) {
    const [meant, another] = didYouMean!;

    // A version without a name followed another of its component.
    const item = items.find(({ component }) => meant === `${component}@${text}`);
    const name = item && !another ? `${item.component}@${item.version}, ` : '';
    lines.push({ line, text: name + text });
  }

  return lines
    .sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
    .map(({ text }) => encodeURIComponent(text).replaceAll('%40', '@'))
    .join(',');
}

/** The text that such a list stands for. */
export function readPlanLink(list: string): string {
  return list
    .split(',')
    .map((part) => decodePart(part).replace(/^([\w-]+)@(?=\S+(?:, |$))/, '$1 '))
    .join('\n');
}

/** A part of an address; as written if it was cut within a character. */
function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
