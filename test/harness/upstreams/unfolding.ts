/** Eight definitions, each of ten times the one before it. */
export function unfolding(define: (name: string, of: string) => string): string {
  return Array.from('bcdefghi', (name, index) => define(name, 'abcdefgh'[index]!)).join('');
}
