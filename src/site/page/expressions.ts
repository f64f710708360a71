// `assets/expressions.js`, the engine of the regular expressions in definitions. The engine of a browser rejects some of them, and
// reads others differently.

export * from '../../core/text/expression.ts';
