// Puzzles: positions with one winning move, where every other move is proved lost. Each is a
// position line, and the winning move with the longest defence.
// Made by: python -m training puzzles --seed 1

/** @type {{ position: string, moves: string }[]} */
export const PUZZLES = [
  { position: "b1d1b2d4 / d3 / a2 a3 / 1 0 / 1 / 5", moves: "a4 a2 a5" },
  { position: "a1d1b2a3 / c1 / a2 a3 / 1 0 / 1 / 5", moves: "b3 a2 c3 b2 c4 a2 c5" },
  { position: "a1c1c4 / c3d4 / b4 c3 / 0 1 / 2 / 5", moves: "a4h b3 c2 b2 d2 a2 e2 b2 e1" },
  { position: "b1c3a4c4 / c2 / a3 a4 / 1 0 / 1 / 5", moves: "b4 a3 a2h b3 c4 a3 d4 b3 e4 a3 e5" },
  { position: "b1c2c3b4 / d3 / b3 d3 / 0 1 / 2 / 5", moves: "a3h b2 c3 a2 b3 a1 b2 b1 a2 a1 b1" },
  { position: "a1c1a4c4 / c3 / c3 c2 / 1 0 / 1 / 5", moves: "d2v b2 c2 a2 d2 b2 d3 a2 d4 b2 e4 a2 e5" },
  { position: "b1d1a3b4d4 /  / c3 c4 / 0 1 / 1 / 5", moves: "b4 c3 a4 c2 a5" },
  { position: "b2a4d4 / c1c3 / c3 a2 / 1 0 / 1 / 5", moves: "a1h b2 c4 a2 c5" },
  { position: "b1d1c3a4 / b4 / c2 a3 / 1 0 / 1 / 5", moves: "a2h b3 d2 a3 e2 b3 e3 a3 e4 b3 e5" },
  { position: "a2c2b4d4 /  / c3 c4 / 1 1 / 2 / 5", moves: "d3 b3 e3 a3 e2 d1h a3h b3 d2 a3 c2 b3 c1" },
  { position: "d1b2c3a4b5b6d6 / a1c2f2f5 / c4 c5 / 0 1 / 1 / 7", moves: "b5 a5v d5 c4 e5 b4 f5 b3 f6 a3 f7" },
  { position: "e1b2d2a3b5d6f6 / e2b3c3c6 / f5 e5 / 1 0 / 1 / 7", moves: "d5 e4 c5 e3 b5 d3 a5 e3 a6 d3 a7" },
  { position: "b1f1a3d3e4d5b6 / b2c2a6c6 / a5 d4 / 0 1 / 2 / 7", moves: "a5h a4 e4 b4 f4 a4 f3 b4 f2 a4 e2 b4 e1" },
  { position: "a1e1c3f3a5b6d6f6 / b2f2f5 / e4 e5 / 1 0 / 1 / 7", moves: "e6 e4 d6 e3 c6 e2 d1v f2 b6 e2 a6 f2 a7" },
  { position: "a1c2a3a4b5d6 / b1d3f3c4c6 / b5 d3 / 0 1 / 2 / 7", moves: "a5v c5 d4 c4 d5 c3 e5 b3 e4 b2 e3 a2 e2 b2 e1" },
  { position: "d2f3c4b5d5f5a6 / c1e2c3d6 / e5 e4 / 1 0 / 2 / 7", moves: "d5 e4 c5 e3 b5 d3 b4 e3 b3 d3 b2 a1h c2 e3 c1" },
  { position: "f1c2e3d4e5a6c6 / d2a4c5b6 / e4 f7 / 0 1 / 2 / 7", moves: "e4v d4 f6 d3 g6 c3 g5 b3 g4 b2 g3 b1 g2 a1 f2 b1 e2 a1 e1" },
  { position: "b2e3a4c5f5b6d6 / e2d4f4a6 / b3 e6 / 0 1 / 2 / 7", moves: "b3v a3 d6 a2 c6 a1 b6 b1 b5 a1 c5 b1 c4 a1 c3 b1 d3 a1 d2 b1 d1" },
  { position: "c1d4f4b5c6 / a1f3e4a5c5e6 / b2 e7 / 0 1 / 2 / 7", moves: "b2h b1 d7 c1 c7 b1 b7 c1 a7 b1 a6 c1 a5 b1 a4 c1 a3 b1 a2 c1 a1" },
  { position: "a1d1d2f2c3a4e4b6d6 / a3f6 / c2 e7 / 0 1 / 1 / 7", moves: "c3 d7 d3 c7 e3 b7 f3 a7 f4 a6 g4 a5 g5 f5h f5 b5 e5 a5 e6 b5 f6 a5 f7" },
];
