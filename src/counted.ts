/** `1 release`, `2 releases`: for the lines of a run. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
