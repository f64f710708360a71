import { isLoopback } from '../../../core/schemas/urls.ts';

/**
 * Why a preview rejects a request with these headers; undefined if it accepts it. A preview may show a draft, so no page of another
 * computer may read it. Such a page can also point a host name of its own at this computer, so the host is checked, too.
 */
export function explainForeignRequest(
  host: string | null | undefined,
  origin: string | null | undefined,
): string | undefined {
  if (!isThisComputer(`http://${host}`)) {
    return 'A preview answers only for 127.0.0.1 and localhost.';
  }

  return !origin || isThisComputer(origin)
    ? undefined
    : 'A preview may show a draft, so only pages of this computer may read it. The host answers pages of every origin.';
}

function isThisComputer(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && isLoopback(url);
}
