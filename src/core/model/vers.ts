import {
  compareCuts,
  compareToBound,
  computeSpan,
  type Comparator,
  type Span,
  type VersionRange,
} from './version-range.ts';

/** The lower bound of a span that has none of its own. */
const lowestBound: Comparator = { sign: '>=', bound: { text: '0', groups: [0], suffix: '' } };

/** A range as a VERS string (github.com/package-url/vers-spec), whose bounds are in version order. */
export function toVers(range: VersionRange): string {
  const constraints = uniteSpans(range).flatMap(formatSpan);
  return `vers:generic/${constraints.join('|') || '*'}`;
}

/** The spans of a range in version order; those that touch or overlap are one. */
function uniteSpans(range: VersionRange): Span[] {
  const spans = range.map(computeSpan).filter((span) => span !== undefined);
  const united: Span[] = [];

  for (const span of spans.sort((a, b) =>
    compareCuts(a.from ?? lowestBound, b.from ?? lowestBound),
  )) {
    const last = united.pop();
    if (!last) {
      united.push(span);
    } else if (last.to && compareCuts(last.to, span.from ?? lowestBound) < 0) {
      united.push(last, span);
    } else {
      united.push({ from: last.from, to: last.to && span.to && findHigher(last.to, span.to) });
    }
  }

  return united;
}

function findHigher(left: Comparator, right: Comparator): Comparator {
  return compareCuts(left, right) < 0 ? right : left;
}

function formatSpan({ from, to }: Span): string[] {
  if (from?.sign === '>=' && to?.sign === '<=' && compareToBound(from.bound, to.bound) === 0) {
    return [encodeURIComponent(from.bound.text)];
  }

  return [from, to].filter((comparator) => comparator !== undefined).map(formatComparator);
}

function formatComparator({ sign, bound }: Comparator): string {
  return `${sign}${encodeURIComponent(bound.text)}`;
}
