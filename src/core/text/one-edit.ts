/** Whether exactly one letter is missing, wrong or too many, or two neighbours change places. */
export function isOneEdit(text: string, other: string): boolean {
  let start = 0;
  while (start < text.length && text[start] === other[start]) {
    start += 1;
  }
  const [rest, otherRest] = [text.slice(start), other.slice(start)];
  const [after, otherAfter] = [rest.slice(1), otherRest.slice(1)];
  const isSwap = rest[0] === other[start + 1] && rest[1] === other[start];

  return (
    rest !== otherRest &&
    (after === otherAfter ||
      after === otherRest ||
      rest === otherAfter ||
      (isSwap && rest.slice(2) === otherRest.slice(2)))
  );
}
