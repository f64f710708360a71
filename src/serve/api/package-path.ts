/** The package in the path of a request. */
import type * as z from 'zod';
import type { Item } from '../../core/index/item.ts';
import { formatPurl, normaliseName } from '../../core/purl.ts';
import { textParameter, versionParameter } from './parameters.ts';

/** A namespace is left out with its slash. */
export const packagePath = '/packages/{type}/{namespace?}/{name}/{version}';

export const packageSegments = {
  type: textParameter(
    200,
    'a type of package URLs, such as npm, maven or generic',
    /^[A-Za-z][A-Za-z0-9.-]*$/,
  ),
  namespace: textParameter(200, 'a namespace such as @scope').optional(),
  name: textParameter(200, 'the name of a package'),
  version: versionParameter,
};

type Segments = z.output<z.ZodObject<typeof packageSegments>>;

export function toItem({ type: typeInAnyCase, namespace, name, version }: Segments): Item {
  const type = typeInAnyCase.toLowerCase();
  const path = namespace ? `${namespace}/${name}` : name;
  const qualifiers = new URLSearchParams();
  const purl = { type, name: normaliseName(type, path), version, qualifiers };
  return { text: formatPurl(purl), purl, version };
}
