import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  renderBadgeFile,
  renderBadgePicture,
} from '../../../../src/site/render/documents/badge.ts';
import { contrast } from '../../../harness/contrast.ts';
import { componentOf } from '../sites.ts';

/** badges/shields, services/endpoint/endpoint.service.js and core/base-service/coalesce-badge.js: the keys of an endpoint. */
const shieldsSchema = z.strictObject({
  schemaVersion: z.literal(1),
  label: z.string(),
  message: z.string().min(1),
  color: z.string().optional(),
});

const supported = componentOf([{ version: '1.0' }, { version: '1.1' }], {
  support: { policy: 'latest-lines', count: 1 },
});
const listed = componentOf([{ version: '1.0' }, { version: '1.1' }]);
const unsupported = componentOf([{ version: '1.0' }], { support: { policy: 'ended' } });
const prereleased = componentOf([{ version: '1.0-rc.1' }], { prereleases: true });
const onlyPrereleaseLeft = componentOf(
  [{ version: '1.0', deprecated: 'old' }, { version: '2.0-rc.1' }],
  {
    prereleases: true,
  },
);
const empty = componentOf([]);

it.each([
  ['the latest supported version', supported, '1.1', ' supported', '#1a7f37'],
  [
    'the latest version of a component without a promise',
    listed,
    '1.1',
    ' no end stated',
    '#57606a',
  ],
  ['a component without a supported release', unsupported, 'none supported', '', '#b42318'],
  ['a component with prereleases alone', prereleased, 'prereleases only', '', '#57606a'],
  [
    'a component whose stable releases are all deprecated',
    onlyPrereleaseLeft,
    'none supported',
    '',
    '#b42318',
  ],
  ['a component without releases', empty, 'no releases', '', '#57606a'],
])(
  'the badge of %s has words for shields.io, readers and screen readers',
  (_, component, message, state, color) => {
    const badge: unknown = JSON.parse(renderBadgeFile(component));
    const picture = parsePicture(renderBadgePicture(component));

    expect(shieldsSchema.parse(badge)).toEqual({
      schemaVersion: 1,
      label: 'Server',
      message,
      color,
    });
    const name = `Server: ${message}${state}`;
    expect(picture).toMatchObject({ '@_role': 'img', '@_aria-label': name, title: name });
    expect(textsOf(picture).map((text) => text['#text'])).toEqual(['Server', message + state]);
    expect(picture.g[1]['@_fill']).toBe('#fff');
    for (const half of picture.g[0].rect) {
      expect(contrast(half['@_fill'], '#fff')).toBeGreaterThanOrEqual(4.5);
    }
  },
);

describe('picture of a badge', () => {
  it('is at least as wide as its texts, and the texts stay in their halves', () => {
    const picture = parsePicture(
      renderBadgePicture(
        componentOf([{ version: 'v1.2.3-WWWWWWWWWWWWWWWW' }], {}, { name: 'a-long-name' }),
      ),
    );
    const [label, message] = textsOf(picture).map(extentOf);
    const [labelHalf, messageHalf] = picture.g[0].rect;

    expect(label!.from).toBeGreaterThan(0);
    expect(label!.to).toBeLessThan(Number(labelHalf['@_width']));
    expect(message!.from).toBeGreaterThan(Number(messageHalf['@_x']));
    expect(message!.to).toBeLessThan(Number(picture['@_width']));
  });
});

interface Text {
  '#text': string;
  '@_x': string;
  '@_textLength': string;
}

interface Half {
  '@_x': string;
  '@_width': string;
  '@_fill': string;
}

interface Picture {
  '@_width': string;
  title: string;
  g: [{ rect: [Half, Half] }, { '@_fill': string; text: Text[] }];
}

function textsOf(picture: Picture): Text[] {
  return picture.g[1].text;
}

/** Texts are drawn around their middle. */
function extentOf(text: Text): { from: number; to: number } {
  const [middle, length] = [Number(text['@_x']), Number(text['@_textLength'])];
  return { from: middle - length / 2, to: middle + length / 2 };
}

function parsePicture(text: string): Picture {
  const parser = new XMLParser({
    ignoreAttributes: false,
    parseTagValue: false,
    trimValues: false,
  });
  return (parser.parse(text) as { svg: Picture }).svg;
}
