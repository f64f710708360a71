/**
 * `node:util`, not as an ES module: that one also loads what decodes texts, a quarter of what a text of help takes.
 */
export const { parseArgs, promisify, stripVTControlCharacters, styleText } =
  process.getBuiltinModule('node:util');
