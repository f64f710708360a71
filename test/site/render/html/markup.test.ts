import { expect, test } from 'vitest';
import { markup } from '../../../../src/site/render/html/markup.ts';

test('a text in markup is escaped, and markup in markup is not', () => {
  const hostile = `<b title="'&'">`;

  expect(markup`<p title="${hostile}">${[hostile, markup`<i>${'1 < 2'}</i>`]}</p>`.markup).toBe(
    '<p title="&#60;b title=&#34;&#39;&#38;&#39;&#34;&#62;">&#60;b title=&#34;&#39;&#38;&#39;&#34;&#62;<i>1 &#60; 2</i></p>',
  );
});
