import java.io.*;
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.regex.*;

/**
 * A move server of the 2016 Quoridor protocol in Java (17 or newer): one player for display clients.
 *
 * <pre>
 * javac MoveServer.java
 * java MoveServer --port 5858
 * </pre>
 *
 * docs/rules.md has the rules (R1, R2 ... below) and docs/handout.md the protocol. Squares are (column, row),
 * counted from 0 at the top left; the wall [(c, r), h] lies below (c, r) and (c+1, r), and [(c, r), v] lies
 * right of (c, r) and (c, r+1).
 */
public final class MoveServer {
    static final String NAME = "exj:walker"; // some clients expect three characters before the colon
    static final int SIZE = 9;
    static final int UNREACHABLE = 999;
    static final Square[] DIRECTIONS = {new Square(0, 1), new Square(0, -1), new Square(1, 0), new Square(-1, 0)};

    record Square(int column, int row) {
        Square beside(Square direction) {
            return new Square(column + direction.column, row + direction.row);
        }
    }

    /** A move: a wall if kind is 'h' or 'v', otherwise the target of the pawn. */
    record Move(Square at, char kind) {
        @Override
        public String toString() {
            String square = "(" + at.column + ", " + at.row + ")";
            return kind == 0 ? square : "[" + square + ", " + kind + "]";
        }
    }

    /** The position and its legal moves. Arrays are indexed by player number; element 0 is unused. */
    static final class Board {
        final int players;
        // Only players in the game have a pawn here; it is null for the others.
        final Square[] pawn = {null, new Square(4, 0), new Square(4, 8), null, null};
        final int[] wallsLeft = {0, 10, 10, 0, 0};
        final char[][] wall = new char[SIZE - 1][SIZE - 1]; // by column and row: 'h', 'v' or 0

        Board(int players) {
            this.players = players;
            if (players == 4) {
                pawn[3] = new Square(0, 4);
                pawn[4] = new Square(8, 4);
                Arrays.fill(wallsLeft, 5);
            }
        }

        static boolean isGoal(int player, Square square) {
            if (player <= 2) return square.row == (player == 1 ? SIZE - 1 : 0);
            return square.column == (player == 3 ? SIZE - 1 : 0);
        }

        boolean hasWall(int c, int r, char kind) {
            return c >= 0 && c < SIZE - 1 && r >= 0 && r < SIZE - 1 && wall[c][r] == kind;
        }

        boolean hasPawn(Square square) {
            return Arrays.asList(pawn).contains(square);
        }

        /** Returns whether no edge or wall blocks the path from a square to its neighbour (R5). */
        boolean isOpen(Square from, Square direction) {
            Square to = from.beside(direction);
            if (Math.min(to.column, to.row) < 0 || Math.max(to.column, to.row) >= SIZE) return false;
            int c = Math.min(from.column, to.column);
            int r = Math.min(from.row, to.row);
            if (direction.row != 0) return !hasWall(c, r, 'h') && !hasWall(c - 1, r, 'h'); // up or down
            return !hasWall(c, r, 'v') && !hasWall(c, r - 1, 'v');
        }

        /** Returns the number of steps from a square to the player's goal line; pawns do not block it (R11). */
        int distance(int player, Square from) {
            int[][] reached = new int[SIZE][SIZE]; // one more than the number of steps; 0: unreached
            ArrayDeque<Square> queue = new ArrayDeque<>(List.of(from));
            reached[from.column][from.row] = 1;
            while (!queue.isEmpty()) {
                Square square = queue.remove();
                int steps = reached[square.column][square.row];
                if (isGoal(player, square)) return steps - 1;
                for (Square direction : DIRECTIONS) {
                    Square to = square.beside(direction);
                    if (!isOpen(square, direction) || reached[to.column][to.row] > 0) continue;
                    reached[to.column][to.row] = steps + 1;
                    queue.add(to);
                }
            }
            return UNREACHABLE;
        }

        int pathLength(int player) {
            return distance(player, pawn[player]);
        }

        /** Returns the squares that the player's pawn may step to (R6 to R9). */
        List<Square> legalSteps(int player) {
            List<Square> found = new ArrayList<>();
            for (Square direction : DIRECTIONS) {
                Square next = pawn[player].beside(direction);
                Square behind = next.beside(direction);
                if (!isOpen(pawn[player], direction)) continue;
                if (!hasPawn(next)) {
                    found.add(next);
                } else if (isOpen(next, direction) && !hasPawn(behind)) {
                    found.add(behind); // straight over the other pawn
                } else {
                    for (Square turn : DIRECTIONS) { // to its sides; our own pawn is on the fourth square
                        Square side = next.beside(turn);
                        if (isOpen(next, turn) && !hasPawn(side)) found.add(side);
                    }
                }
            }
            return found;
        }

        boolean isLegalWall(int player, int c, int r, char kind) {
            if (wallsLeft[player] == 0 || c < 0 || c >= SIZE - 1 || r < 0 || r >= SIZE - 1) return false;
            if (wall[c][r] != 0) return false; // R10: the same wall, or one that crosses it
            int along = kind == 'h' ? 1 : 0;
            int down = 1 - along;
            if (hasWall(c - along, r - down, kind) || hasWall(c + along, r + down, kind)) return false; // overlaps it
            boolean paths = true;
            wall[c][r] = kind;
            for (int other = 1; other <= players; other++) {
                paths = paths && (pawn[other] == null || pathLength(other) != UNREACHABLE); // R11
            }
            wall[c][r] = 0;
            return paths;
        }

        void make(int player, Move move) {
            if (move.kind == 0) {
                pawn[player] = move.at;
            } else {
                wall[move.at.column][move.at.row] = move.kind;
                wallsLeft[player]--;
            }
        }

        // ---- The player: the part to improve ----

        /** Returns the legal wall near the rival that lengthens its path most compared with ours, by more than gain. */
        Move bestWall(int player, int rival, int reach, int gain) {
            Move found = null;
            Square near = pawn[rival];
            int lead = pathLength(rival) - pathLength(player);
            for (int c = near.column - reach; c < near.column + reach; c++) {
                for (int r = near.row - reach; r < near.row + reach; r++) {
                    for (char kind : new char[] {'h', 'v'}) {
                        if (!isLegalWall(player, c, r, kind)) continue;
                        wall[c][r] = kind;
                        int gained = pathLength(rival) - pathLength(player) - lead;
                        wall[c][r] = 0;
                        if (gained > gain) found = new Move(new Square(c, r), kind);
                        gain = Math.max(gain, gained);
                    }
                }
            }
            return found;
        }

        Move choose(int player) {
            int rival = player; // the other player closest to its goal line
            for (int other = 1; other <= players; other++) {
                if (other == player || pawn[other] == null) continue;
                if (rival == player || pathLength(other) < pathLength(rival)) rival = other;
            }
            // The rival is closer: block it if a wall costs it more than us.
            Move wall = pathLength(rival) < pathLength(player) ? bestWall(player, rival, 2, 0) : null;
            if (wall != null) return wall;
            Square best = null;
            for (Square step : legalSteps(player)) {
                if (best == null || distance(player, step) < distance(player, best)) best = step;
            }
            if (best != null) return new Move(best, (char) 0);
            return bestWall(player, rival, SIZE, -UNREACHABLE); // no legal step: any legal wall
        }
    }

    // ---- The protocol ----

    /** A move without spaces, in lower case; the specification once says "h or w". */
    static final Pattern MOVE = Pattern.compile("\\(([0-8]),([0-8])\\)|\\[\\(([0-7]),([0-7])\\),([hvw])\\]");

    /** Parses a move; returns null for other text. */
    static Move parseMove(String text) {
        Matcher found = MOVE.matcher(text.replaceAll("\\s", "").toLowerCase());
        if (!found.matches()) return null;
        int first = found.group(1) != null ? 1 : 3;
        Square at = new Square(Integer.parseInt(found.group(first)), Integer.parseInt(found.group(first + 1)));
        return new Move(at, first == 1 ? 0 : found.group(5).equals("h") ? 'h' : 'v');
    }

    /** Plays the games of one client; each connection has its own board. */
    static void serve(Socket connection) {
        Board board = new Board(2);
        int self = 0;
        // TCP carries bytes, not lines: a line can arrive in parts, or several at once. readLine handles that.
        try (connection; var bytes = new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8)) {
            BufferedReader lines = new BufferedReader(bytes);
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = (line.trim() + "  ").split("\\s+", 3); // word, player number, the rest
                int player = words[1].matches("[1-4]") ? words[1].charAt(0) - '0' : 0;
                int names = words.length < 3 ? 0 : words[2].trim().split("\\s+").length;
                Move move = words.length < 3 ? null : parseMove(words[2]);
                String word = words[0].toUpperCase();
                if (word.equals("HELLO")) send(connection, "IAM " + NAME);
                if (word.equals("GAME") && player > 0 && player <= names && (names == 2 || names == 4)) {
                    board = new Board(names);
                    self = player;
                }
                if (self == 0 || player > board.players) continue; // invalid lines are ignored
                // Our own move is made only when ATARI reports it, like all moves.
                if (word.equals("MYOUSHU")) send(connection, "TESUJI " + board.choose(self));
                if (word.equals("ATARI") && player > 0 && move != null) board.make(player, move);
                if (word.equals("GOTE")) board.pawn[player] = null; // its walls stay
                if (word.equals("GOTE") && player == self) return;
                if (word.equals("KIKASHI") && player > 0) return;
            }
        } catch (IOException error) {
            System.err.println("lost a client: " + error.getMessage());
        }
    }

    static void send(Socket connection, String line) throws IOException {
        // Send the line in one write; the stream is unbuffered.
        connection.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Listens on the port given by --port, or on any free port. */
    public static void main(String[] words) throws IOException {
        int port = words.length == 2 && words[0].equals("--port") ? Integer.parseInt(words[1]) : 0;
        try (ServerSocket listener = new ServerSocket(port)) {
            System.out.println(NAME + " is ready on port " + listener.getLocalPort());
            while (true) { // one thread per client, for concurrent games
                Socket connection = listener.accept();
                new Thread(() -> serve(connection)).start();
            }
        }
    }
}
