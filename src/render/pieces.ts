/**
 * How long a piece of a long document is: long enough that a piece costs nothing beside its text, short enough that V8
 * throws it away while it is young.
 */
export const pieceLength = 4096;
