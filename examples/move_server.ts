/* A move server of the 2016 Quoridor protocol in TypeScript: one player for display clients.
 *
 *     node move_server.ts --port 5858
 *
 * docs/rules.md has the rules (R1, R2 ... below) and docs/handout.md the protocol. Squares are [column, row],
 * counted from 0 at the top left. The wall [c, r, "h"] lies below [c, r] and [c + 1, r], and [c, r, "v"] lies
 * right of [c, r] and [c, r + 1].
 */
import { createServer, type AddressInfo, type Socket } from "node:net";

type Square = [column: number, row: number];
type Wall = [column: number, row: number, kind: "h" | "v"];

const NAME = "ext:walker"; // some clients expect three characters before the colon
const SIZE = 9;
const STARTS: Record<number, Square> = { 1: [4, 0], 2: [4, 8], 3: [0, 4], 4: [8, 4] };

/** The position and its legal moves. */
class Board {
  pawns: Record<number, Square> = {}; // by player number; only of players in the game
  walls = new Set<string>(); // String([3, 1, "h"]) is "3,1,h"
  wallsLeft: number[];

  constructor(players: number) {
    for (let player = 1; player <= players; player++) this.pawns[player] = STARTS[player];
    this.wallsLeft = Array(5).fill(players === 2 ? 10 : 5); // by player number
  }

  hasPawn = (square: Square) => Object.values(this.pawns).some((pawn) => String(pawn) === String(square));
  hasWall = (...walls: Wall[]) => walls.some((wall) => this.walls.has(String(wall)));

  /** Returns whether no edge or wall blocks the path from a square to its neighbour (R5). */
  isOpen(from: Square, to: Square): boolean {
    if (Math.min(...to) < 0 || Math.max(...to) >= SIZE) return false;
    const [c, r] = [Math.min(from[0], to[0]), Math.min(from[1], to[1])];
    if (from[0] === to[0]) return !this.hasWall([c, r, "h"], [c - 1, r, "h"]); // up or down
    return !this.hasWall([c, r, "v"], [c, r - 1, "v"]);
  }

  neighbours([column, row]: Square): Square[] {
    const beside: Square[] = [[column, row + 1], [column, row - 1], [column + 1, row], [column - 1, row]];
    return beside.filter((square) => this.isOpen([column, row], square));
  }

  /** Returns the number of steps from a square to the player's goal line; pawns do not block it (R11). */
  distance(player: number, from = this.pawns[player]): number {
    const [axis, goal] = [player <= 2 ? 1 : 0, player % 2 === 1 ? SIZE - 1 : 0];
    const reached = new Map([[String(from), { square: from, steps: 0 }]]);
    for (const { square, steps } of reached.values()) { // the loop also visits the squares that it adds
      if (square[axis] === goal) return steps;
      for (const next of this.neighbours(square))
        if (!reached.has(String(next))) reached.set(String(next), { square: next, steps: steps + 1 });
    }
    return Infinity;
  }

  /** Returns the squares that the player's pawn may step to (R6 to R9). */
  legalSteps(player: number): Square[] {
    const here = this.pawns[player];
    return this.neighbours(here).flatMap((next) => {
      if (!this.hasPawn(next)) return [next];
      const behind: Square = [2 * next[0] - here[0], 2 * next[1] - here[1]];
      if (this.isOpen(next, behind) && !this.hasPawn(behind)) return [behind]; // straight over the other pawn
      return this.neighbours(next).filter((side) => !this.hasPawn(side));
    });
  }

  isLegalWall(player: number, [c, r, kind]: Wall): boolean {
    if (this.wallsLeft[player] === 0 || Math.min(c, r) < 0 || Math.max(c, r) >= SIZE - 1) return false;
    const [x, y] = kind === "h" ? [1, 0] : [0, 1]; // along the wall
    if (this.hasWall([c, r, "h"], [c, r, "v"], [c - x, r - y, kind], [c + x, r + y, kind])) return false; // R10
    const players = Object.keys(this.pawns).map(Number);
    return this.withWall([c, r, kind], () => players.every((other) => this.distance(other) < Infinity)); // R11
  }

  /** Returns the result of a function that is called with one more wall on the board. */
  withWall<T>(wall: Wall, find: () => T): T {
    this.walls.add(String(wall));
    const found = find();
    this.walls.delete(String(wall));
    return found;
  }

  // The player: the part to improve.

  /** Returns the legal wall near the rival that lengthens its path most compared with ours, by over `gain`. */
  bestWall(player: number, rival: number, reach: number, gain: number): Wall | undefined {
    const [column, row] = this.pawns[rival];
    const lead = () => this.distance(rival) - this.distance(player);
    let [best, longest] = [undefined as Wall | undefined, lead() + gain];
    for (let c = column - reach; c < column + reach; c++)
      for (let r = row - reach; r < row + reach; r++)
        for (const wall of [[c, r, "h"], [c, r, "v"]] as Wall[]) {
          const found = this.isLegalWall(player, wall) ? this.withWall(wall, lead) : -Infinity;
          if (found > longest) [best, longest] = [wall, found];
        }
    return best;
  }

  /** Chooses a wall if the rival is closer to its goal and a wall costs it more than us, otherwise a step. */
  choose(player: number): Square | Wall | undefined {
    const closest = <T>(list: T[], length: (item: T) => number) => list.sort((a, b) => length(a) - length(b))[0];
    const rivals = Object.keys(this.pawns).map(Number).filter((other) => other !== player);
    const rival = closest(rivals, (other) => this.distance(other)) ?? player;
    const wall = this.distance(rival) < this.distance(player) ? this.bestWall(player, rival, 2, 0) : undefined;
    const step = closest(this.legalSteps(player), (square) => this.distance(player, square));
    return wall ?? step ?? this.bestWall(player, rival, SIZE, -Infinity); // no legal step: any legal wall
  }
}

/** Parses a move in capital letters and without spaces; the specification once says "h or w". */
function parseMove(text: string): Square | Wall | undefined {
  const move = /^(?:\(([0-8]),([0-8])\)|\[\(([0-7]),([0-7])\),([HVW])\])$/.exec(text);
  if (move?.[1]) return [Number(move[1]), Number(move[2])];
  return move ? [Number(move[3]), Number(move[4]), move[5] === "H" ? "h" : "v"] : undefined;
}

/** Plays the games of one client; each connection has its own board. */
function serve(socket: Socket): void {
  let [board, self, rest] = [new Board(0), 0, ""];
  /** Answers a line; returns false once the game is over for this player. Invalid lines are ignored. */
  function answer(line: string): boolean {
    const [word, number, ...others] = line.trim().toUpperCase().split(/\s+/);
    const [player, names, move] = [Number(number), others.length, parseMove(others.join(""))];
    if (word === "HELLO") socket.write(`IAM ${NAME}\n`);
    if (word === "GAME" && [2, 4].includes(names) && player in new Board(names).pawns)
      [board, self] = [new Board(names), player];
    // Our own move is made only when ATARI reports it, like all moves.
    const [c, r, kind] = (word === "MYOUSHU" && self && board.choose(self)) || [];
    if (kind) socket.write(`TESUJI [(${c}, ${r}), ${kind}]\n`);
    else if (c !== undefined) socket.write(`TESUJI (${c}, ${r})\n`);
    if (!(player in board.pawns)) return true;
    if (word === "ATARI" && move?.length === 2) board.pawns[player] = move;
    if (word === "ATARI" && move?.length === 3) { board.walls.add(String(move)); board.wallsLeft[player]--; }
    if (word === "GOTE") delete board.pawns[player]; // its walls stay
    return word !== "KIKASHI" && self in board.pawns;
  }

  // TCP carries bytes, not lines: a line can arrive in parts, or several at once. Keep the rest for later.
  socket.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!.slice(0, 1024);
    if (!lines.every(answer)) socket.destroySoon();
  });
  socket.on("error", (error) => console.error(`lost a client: ${error.message}`));
}

const [option, port] = process.argv.slice(2); // without --port the system chooses a port
const server = createServer(serve).listen(option === "--port" ? Number(port) : 0);
server.on("listening", () => console.log(`${NAME} is ready on port ${(server.address() as AddressInfo).port}`));
