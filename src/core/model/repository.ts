import { lowerAscii } from '../text/text.ts';

/** Whether two addresses, with or without `https://` and `.git`, name one repository. Hosts ignore case. */
export function isSameRepository(one: string, other: string): boolean {
  return normaliseAddress(one) === normaliseAddress(other);
}

function normaliseAddress(address: string): string {
  const path = lowerAscii(address).replace(/^(?:git\+)?https?:\/\/(?:www\.)?/, '');
  return path.replace(/\/$/, '').replace(/\.git$/, '');
}
