import { checkout } from './checkout.ts';
import { readJsonIn } from './root.ts';

/** The addresses that `init` asks for. */
export const addresses = [
  ...['--releases-url', 'https://releases.example.com'],
  ...['--repository-url', 'https://example.com/r'],
];
/** The `package.json` of the program. */
export const manifest = readJsonIn<{ version: string; devDependencies: { wrangler: string } }>(
  checkout,
  'package.json',
);
