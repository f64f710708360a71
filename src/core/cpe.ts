import { withoutInvisible } from './text.ts';

/** A parsed name of the Common Platform Enumeration, version 2.2 or 2.3 (NISTIR 7695). */
export interface Cpe {
  /** Part, vendor and product: `cpe:a:example:agent`, as `packages.json` has it. */
  readonly key: string;
  /** Absent where the name covers all versions. */
  readonly version: string | undefined;
}

/** Undefined for a text that names no product. */
export function parseCpe(text: string): Cpe | undefined {
  const [, form, rest = ''] = /^cpe:(2\.3:|\/)(.*)$/is.exec(withoutInvisible(text).trim()) ?? [];
  if (form === undefined || !text.isWellFormed()) {
    return undefined;
  }
  const parts = rest
    .split(/(?<!\\):/)
    .map((part) => (form === '/' ? decoded(part) : part.replaceAll(/\\(.)/g, '$1')));
  const [part = '', vendor = '', product = '', version = ''] = parts;
  const names = [part, vendor, product];
  if (names.some((name) => name === '' || name.includes('*'))) {
    return undefined;
  }
  const key = `cpe:${names.map((name) => encodeURIComponent(name.toLowerCase())).join(':')}`;
  return { key, version: ['', '*', '-'].includes(version) ? undefined : version };
}

function decoded(part: string): string {
  return part.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
