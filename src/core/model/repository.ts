import { lowerAscii } from '../text/text.ts';

/** Whether two addresses, of the web or of git, with or without `https://` and `.git`, name one repository. Hosts ignore case. */
export function isSameRepository(one: string, other: string): boolean {
  return normaliseAddress(one) === normaliseAddress(other);
}

/** Neither the user of git nor the port of SSH is a part of what a repository is called on the web. */
function normaliseAddress(address: string): string {
  const path = lowerAscii(address)
    .replace(/^git@([^/:]+):/, '$1/')
    .replace(/(?<=ssh:\/\/[^/:]+):\d+/, '')
    .replace(/^(?:(?:git\+)?(?:https?|ssh|git):\/\/)?(?:git@)?(?:www\.)?/, '');
  return path.replace(/\/$/, '').replace(/\.git$/, '');
}
