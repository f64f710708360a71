import { z } from 'zod';
import { documented, formName } from '../documented.ts';
import { UpstreamUrl } from './links.ts';
import { Transform } from './source-fields.ts';

/** A source that states the support of release lines. */
export const SupportSource = z.discriminatedUnion('datasource', [
  z.strictObject({
    datasource: formName(
      'endoflife-date',
      'A product of endoflife.date, or of a site with its API.',
    ),
    product: documented(
      z
        .string()
        .max(100)
        .regex(/^\w[\w.+-]*$/, { error: 'expected the name of a product such as postgresql' }),
      'The name of the product at endoflife.date.',
      'postgresql',
    ),
    registryUrl: documented(
      UpstreamUrl.optional(),
      'Address of the API, without v1; endoflife.date where absent.',
      'https://endoflife.date/api/',
    ),
  }),
  z.strictObject({
    datasource: formName('json', 'Any document in JSON.'),
    url: documented(UpstreamUrl, 'Address of the document.', 'https://api.example.com/support'),
    transform: documented(
      Transform,
      'An expression of JSONata that turns the document into an object with lines: objects with line, phases, and optionally lts and firstReleaseDate. In phases, each name has the last day of the phase, or an object with until and paid.',
      '{"lines": items.{"line": name, "phases": {"support": end}}}',
    ),
  }),
]);
export type SupportSource = z.infer<typeof SupportSource>;
