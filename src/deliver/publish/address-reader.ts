import type { Http } from '../../io/http/client.ts';
import { HttpError } from '../../io/http/error.ts';
import { VerificationError } from '../sign/verification-error.ts';
import { largestFile, type SiteReader } from '../sign/read-site.ts';

/** A site at an address, of which nobody can know all files. A mirror may serve files as any type. */
export function addressReader(http: Http, baseUrl: string): SiteReader {
  return {
    async read(path) {
      const url = `${baseUrl}/${path.split('/').map(encodeURIComponent).join('/')}`;
      try {
        return (await http.fetch({ url, accept: ['*/*'], maxBytes: largestFile })).body;
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        if (error.kind === 'absent') return undefined;
        throw new VerificationError(
          path,
          `cannot be read: ${error.message}`,
          'Nothing is known of it; try again later',
        );
      }
    },
  };
}
