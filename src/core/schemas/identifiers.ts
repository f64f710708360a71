import * as z from 'zod';
import { packageOf, parsePurl } from '../purl.ts';
import { documented } from './documented.ts';

const maxIdentifiers = 100;

/** A package URL for all versions of a component. */
const PackageUrl = z
  .string()
  .max(1000)
  .refine(
    (text) => {
      const purl = parsePurl(text);
      return purl !== undefined && purl.version === undefined;
    },
    { error: 'expected a package URL without a version, such as pkg:npm/%40example/agent' },
  );

const cpePart = String.raw`(?:\?*|\*?)(?:[A-Za-z\d._-]|\\[!-~])+(?:\?*|\*?)|[*-]`;
/** NISTIR 7695, sections 6.1 and 6.2: the forms of versions 2.2 and 2.3. */
const cpe = new RegExp(
  String.raw`^(?:cpe:/[aho](?::[A-Za-z\d._~%-]*){1,6}|cpe:2\.3:[aho*-](?::(?:${cpePart})){10})$`,
);

/** The identifiers of a component, in addition to the packages of its sources. */
export const Identifiers = z.strictObject({
  purl: documented(
    z
      .array(PackageUrl)
      .min(1)
      .max(maxIdentifiers)
      .refine(isDistinct, {
        error: 'expected each package once',
      })
      .optional(),
    'Package URLs without a version (https://github.com/package-url/purl-spec), in addition to the packages of the sources.',
    ['pkg:docker/example/agent'],
  ),
  cpe: documented(
    z
      .array(z.string().max(1000).regex(cpe, { error: 'expected a CPE of version 2.2 or 2.3' }))
      .min(1)
      .max(maxIdentifiers)
      .optional(),
    'Names of the Common Platform Enumeration.',
    ['cpe:2.3:a:example:agent:*:*:*:*:*:*:*:*'],
  ),
});
export type Identifiers = z.infer<typeof Identifiers>;

function isDistinct(purls: readonly string[]): boolean {
  return new Set(purls.map(packageOfText)).size === purls.length;
}

/** The normalised form of a package URL; any other text unchanged. */
export function packageOfText(text: string): string {
  const purl = parsePurl(text);
  return purl ? packageOf(purl) : text;
}
