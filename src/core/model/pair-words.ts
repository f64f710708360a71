import type { Compatibility } from '../schemas/definition/works-with.ts';
import type { Bounds, PairAnswer } from './pair-answers.ts';
import { parseVersionRange, type Comparator } from './version-range.ts';

export const answerLabels: Readonly<Record<PairAnswer, string>> = {
  good: 'Works',
  bad: 'Does not work',
  limited: 'Works in part',
  'not-stated': 'Not stated',
};

/** `svcctl 1.23 works with svc 2024.3 or later, tested up to 2026.2.` */
export function describeStatement(
  statement: Compatibility,
  component: string,
  partner: string,
): string {
  const { versions, feature, recommended, reason } = statement;
  const range = versions ?? `=${recommended}`;
  const subject = range === '*' ? component : `${component} ${describeRange(range)}`;
  const object = `${partner} ${describeBounds(statement)}`;
  const because = reason === undefined ? '' : ` ${reason}`;
  if (feature !== undefined) {
    return `${subject} needs ${object} for ${feature}.${because}`;
  }

  const verb = versions === undefined ? 'is recommended' : 'works';
  return `${subject} ${verb} with ${object}.${because}`;
}

/** `2025.1 or later, before 2027.1`. */
export function describeBounds({ from, testedTo, before, with: range }: Bounds): string {
  if (range !== undefined) {
    return describeRange(range);
  }
  if (from !== undefined && from === testedTo && before === undefined) {
    return from;
  }

  const bounds = [
    from && `${from} or later`,
    before && `before ${before}`,
    testedTo && `tested up to ${testedTo}`,
  ];
  return bounds.filter(Boolean).join(', ');
}

/** `>=3.17 <4 || =5.1` as `3.17 or later, before 4; or 5.1`. The schema of statements accepts only ranges that parse. */
function describeRange(range: string): string {
  const alternatives = parseVersionRange(range)!;
  if (alternatives.some(({ length }) => length === 0)) {
    return 'in any version';
  }

  const texts = alternatives.map((comparators) => comparators.map(describeComparator).join(', '));
  return texts.join(texts.some((text) => text.includes(', ')) ? '; or ' : ' or ');
}

function describeComparator({ sign, bound: { text } }: Comparator): string {
  switch (sign) {
    case '>=':
      return `${text} or later`;
    case '>':
      return `later than ${text}`;
    case '<=':
      return `up to ${text}`;
    case '<':
      return `before ${text}`;
    case '=':
    case 'line':
      return text;
  }
}
