import { lowerAscii } from '../text/text.ts';

/** Whether two addresses, with or without `https://` and `.git`, name one repository. Hosts ignore case. */
export function isSameRepository(one: string, other: string): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf(address: string): string {
  const path = lowerAscii(address).replace(/^(?:git\+)?https?:\/\/(?:www\.)?/, '');
  return path.replace(/\/$/, '').replace(/\.git$/, '');
}
