import * as z from 'zod';
import { documented, formName } from './documented.ts';
import { UpstreamUrl } from './links.ts';
import { Transform } from './source-fields.ts';

/** Who states until when release lines are supported. */
export const SupportSource = z.discriminatedUnion('datasource', [
  z.strictObject({
    datasource: formName('endoflife-date', 'A product of endoflife.date, or of a site with its API.'),
    product: documented(
      z
        .string()
        .max(100)
        .regex(/^\w[\w.+-]*$/, { error: 'expected the name of a product such as postgresql' }),
      'What endoflife.date calls the product.',
      'postgresql',
    ),
    registryUrl: documented(
      UpstreamUrl.optional(),
      'Address of the API, without v1; that of endoflife.date where absent.',
      'https://endoflife.date/api/',
    ),
  }),
  z.strictObject({
    datasource: formName('cle', 'A document of the Common Lifecycle Enumeration (ECMA-428).'),
    url: documented(UpstreamUrl, 'Address of the document.', 'https://example.com/cle/agent.json'),
  }),
  z.strictObject({
    datasource: formName('json', 'Any document in JSON.'),
    url: documented(UpstreamUrl, 'Address of the document.', 'https://api.example.com/support'),
    transform: documented(
      Transform,
      'What makes release lines of the document: an expression of JSONata. It gives an object with lines, of objects with line, phases, and perhaps lts and firstReleaseDate. In phases, each name has the first day after the phase, or an object with until and paid.',
      '{"lines": items.{"line": name, "phases": {"support": end}}}',
    ),
  }),
]);
export type SupportSource = z.infer<typeof SupportSource>;
