import { isLoopback } from '../../../core/schemas/urls.ts';

/**
 * Why a preview, which may show a draft, rejects a request; undefined for a request by a name of this computer, and from one of
 * its pages if from any. `host`, `origin`: the headers. A foreign page can point a host name of its own at this computer.
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
