/* An engine of the Athens Quoridor Text Protocol in C: reads one command per line, and answers it.
 * To build and run it: cc -std=c11 -O2 -o athens_engine athens_engine.c && ./athens_engine
 *
 * docs/rules.md has the rules (R1, R2 ... below) and docs/qtp.md the protocol. Inside, squares are (column, row),
 * counted from 0 at the top left, so that A9 is (0, 0) and black goes down. A wall is named by the square
 * north-west of its middle: h lies below (c, r) and (c+1, r), v lies right of (c, r) and (c, r+1).
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { BLACK, WHITE, MAX_SIZE = 25, MAX_MOVES = 10000, LINE = 65536, WORDS = 5, UNREACHABLE = 999 };

typedef struct { int column, row; } Square;
typedef struct { Square to; char kind; int player; } Move; /* kind: 'h', 'v', or 0 for a step of the pawn */
typedef struct { Square pawn[2]; int placed[2]; char wall[MAX_SIZE][MAX_SIZE]; } Board; /* wall: 'h', 'v' or 0 */

/* The state of an engine (section 3.1): size, number of walls, board, history. */
static int size = 9, walls = 10, moves = 0;
static Board board, history[MAX_MOVES];
static const Square DIRECTIONS[4] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
enum { NAME, KNOWN_COMMAND, LIST_COMMANDS, QUIT, BOARDSIZE, CLEAR_BOARD, WALLS,
       PLAYMOVE, PLAYWALL, GENMOVE, UNDO, WINNER, SHOWBOARD, UNKNOWN };
static const char *COMMANDS[] = {"name", "known_command", "list_commands", "quit", "boardsize", "clear_board", "walls",
                                 "playmove", "playwall", "genmove", "undo", "winner", "showboard"};

/* ---- The rules ---- */
static void clear_board(void) {
    moves = 0;
    board = (Board){.pawn = {{size / 2, 0}, {size / 2, size - 1}}};
}
static bool is_goal(int player, Square s) { return s.row == (player == BLACK ? size - 1 : 0); }
static bool is_over(void) { return is_goal(BLACK, board.pawn[BLACK]) || is_goal(WHITE, board.pawn[WHITE]); }
static bool has_wall(int c, int r, char kind) {
    return c >= 0 && c < size - 1 && r >= 0 && r < size - 1 && board.wall[c][r] == kind;
}
static bool is_same(Square one, Square other) { return one.column == other.column && one.row == other.row; }

/* Put the neighbour of `from` in this direction into `to`; return false if an edge or wall blocks it (R5). */
static bool is_open(Square from, int direction, Square *to) {
    Square d = DIRECTIONS[direction];
    *to = (Square){from.column + d.column, from.row + d.row};
    if (to->column < 0 || to->column >= size || to->row < 0 || to->row >= size) return false;
    int c = from.column < to->column ? from.column : to->column;
    int r = from.row < to->row ? from.row : to->row;
    if (d.column == 0) return !has_wall(c, r, 'h') && !has_wall(c - 1, r, 'h'); /* up or down */
    return !has_wall(c, r, 'v') && !has_wall(c, r - 1, 'v');
}

/* Return the number of steps from `from` to the player's goal line; pawns do not block it (R11). */
static int distance(int player, Square from) {
    static int reached[MAX_SIZE][MAX_SIZE]; /* one more than the number of steps; 0 for unreached squares */
    static Square queue[MAX_SIZE * MAX_SIZE];
    memset(reached, 0, sizeof reached);
    reached[from.column][from.row] = 1;
    queue[0] = from;
    for (int first = 0, last = 1; first < last; first++) {
        Square s = queue[first], to;
        if (is_goal(player, s)) return reached[s.column][s.row] - 1;
        for (int d = 0; d < 4; d++) {
            if (!is_open(s, d, &to) || reached[to.column][to.row]) continue;
            reached[to.column][to.row] = reached[s.column][s.row] + 1;
            queue[last++] = to;
        }
    }
    return UNREACHABLE;
}
static int path_length(int player) { return distance(player, board.pawn[player]); }

/* Put the squares that the pawn may step to into `found`; return their number (R6 to R8). */
static int legal_steps(int player, Square found[6]) {
    int count = 0;
    Square other = board.pawn[!player], next, behind, side;
    for (int d = 0; d < 4 && !is_over(); d++) {
        if (!is_open(board.pawn[player], d, &next)) continue;
        if (!is_same(next, other))
            found[count++] = next;
        else if (is_open(other, d, &behind))
            found[count++] = behind; /* straight over the other pawn */
        else
            for (int turn = 0; turn < 4; turn++) /* to its sides */
                if (is_open(other, turn, &side) && !is_same(side, board.pawn[player])) found[count++] = side;
    }
    return count;
}

static bool is_legal(Move move) {
    int c = move.to.column, r = move.to.row, along = move.kind == 'h', down = !along;
    if (!move.kind) {
        Square found[6];
        for (int i = legal_steps(move.player, found) - 1; i >= 0; i--)
            if (is_same(found[i], move.to)) return true;
        return false;
    }
    if (is_over() || board.placed[move.player] >= walls) return false;
    if (c < 0 || c >= size - 1 || r < 0 || r >= size - 1 || board.wall[c][r]) return false; /* R10 */
    if (has_wall(c - along, r - down, move.kind) || has_wall(c + along, r + down, move.kind)) return false;
    board.wall[c][r] = move.kind;
    bool paths = path_length(BLACK) < UNREACHABLE && path_length(WHITE) < UNREACHABLE; /* R11 */
    board.wall[c][r] = 0;
    return paths;
}

static void make(Move move) {
    history[moves++] = board;
    if (move.kind) board.wall[move.to.column][move.to.row] = move.kind, board.placed[move.player]++;
    else board.pawn[move.player] = move.to;
}

/* ---- The player: the part to improve ---- */
/* Return the legal wall near the rival that lengthens its path most compared with ours, by more than `gain`. */
static Move best_wall(int player, int reach, int gain) {
    Move found = {.player = player};
    Square near = board.pawn[!player];
    int lead = path_length(!player) - path_length(player);
    for (int c = near.column - reach; c < near.column + reach; c++)
        for (int r = near.row - reach; r < near.row + reach; r++)
            for (int vertical = 0; vertical < 2; vertical++) {
                Move move = {.to = {c, r}, .kind = "hv"[vertical], .player = player};
                if (!is_legal(move)) continue;
                board.wall[c][r] = move.kind;
                int gained = path_length(!player) - path_length(player) - lead;
                board.wall[c][r] = 0;
                if (gained > gain) gain = gained, found = move;
            }
    return found;
}

/* Put the chosen move into `chosen`; return false without a legal move. */
static bool choose(int player, Move *chosen) {
    Square steps[6];
    int count = legal_steps(player, steps);
    chosen->kind = 0;
    if (count == 0) *chosen = best_wall(player, size, -UNREACHABLE); /* no legal step: any legal wall */
    else if (path_length(!player) < path_length(player)) *chosen = best_wall(player, 2, 0); /* the rival is closer */
    if (chosen->kind || count == 0) return chosen->kind;
    *chosen = (Move){.to = steps[0], .player = player};
    for (int i = 1; i < count; i++)
        if (distance(player, steps[i]) < distance(player, chosen->to)) chosen->to = steps[i];
    return true;
}

/* ---- The protocol ---- */
/* Entities of section 2.2: each function returns whether `text` is valid. Missing words are empty. */
static bool parse_int(const char *text, int *value) {
    *value = atoi(text);
    return *text && strspn(text, "0123456789") == strlen(text) && strlen(text) < 10;
}
static bool is_word(const char *text, const char *word) { /* the word or its first letter, in any case */
    return !strcasecmp(text, word) || (tolower((unsigned char)*text) == *word && !text[1]);
}
static bool parse_color(const char *text, int *player) {
    *player = is_word(text, "white") ? WHITE : BLACK;
    return *player == WHITE || is_word(text, "black");
}
static bool parse_vertex(const char *text, Square *square) {
    int rank;
    if (!isalpha((unsigned char)*text) || !parse_int(text + 1, &rank) || rank < 1 || rank > MAX_SIZE) return false;
    *square = (Square){toupper((unsigned char)*text) - 'A', size - rank};
    return square->column < MAX_SIZE;
}

static void showboard(void) { /* A1 is at the bottom left; _ and | are walls */
    for (int r = 0; r < size; r++) {
        printf("%s%2d ", r ? "" : "=\n", size - r);
        for (int c = 0; c < size; c++) {
            char drawn = has_wall(c, r, 'h') || has_wall(c - 1, r, 'h') ? '_' : '.';
            if (is_same(board.pawn[BLACK], (Square){c, r})) drawn = 'B';
            if (is_same(board.pawn[WHITE], (Square){c, r})) drawn = 'W';
            putchar(drawn);
            putchar(has_wall(c, r, 'v') || has_wall(c, r - 1, 'v') ? '|' : ' ');
        }
        puts("");
    }
    for (int c = 0; c < size; c++) printf("%s%c", c ? " " : "   ", 'A' + c);
    puts("\n");
}

static void genmove(int player) {
    Move move;
    if (moves == MAX_MOVES || !choose(player, &move)) { puts("= pass\n"); return; } /* it "fails never" */
    make(move);
    const char *orientation = move.kind == 'h' ? " horizontal" : move.kind == 'v' ? " vertical" : "";
    printf("= %c%d%s\n\n", 'A' + move.to.column, size - move.to.row, orientation);
}
static int find(const char *name) {
    int command = 0;
    while (command < UNKNOWN && strcmp(COMMANDS[command], name)) command++;
    return command;
}

/* Execute a command of sections 4.2 and 4.3; return an error, or NULL. A failed command changes nothing. */
static const char *change(int command, const char **words) {
    int number = 1; /* undo without a number takes back one move */
    Move move = {.kind = 0};
    if (command == CLEAR_BOARD) return clear_board(), NULL;
    if (command == PLAYMOVE || command == PLAYWALL) {
        if (!parse_color(words[1], &move.player) || !parse_vertex(words[2], &move.to)) return "syntax error";
        move.kind = is_word(words[3], "horizontal") ? 'h' : is_word(words[3], "vertical") ? 'v' : 0;
        if ((move.kind != 0) != (command == PLAYWALL) || *words[move.kind ? 4 : 3]) return "syntax error";
        if (moves == MAX_MOVES || !is_legal(move)) return "illegal move";
        return make(move), NULL;
    }
    if ((*words[1] || command != UNDO) && !parse_int(words[1], &number)) return "syntax error";
    if (command == BOARDSIZE && (number < 3 || number > MAX_SIZE)) return "unacceptable size";
    if (command == BOARDSIZE) size = number, walls = size > 3 ? (7 * size - 23) / 4 : 0, clear_board();
    if (command == WALLS) walls = number;
    if (command == UNDO && (number > moves || moves == 0)) return "cannot undo";
    if (command == UNDO && number > 0) board = history[moves -= number];
    return NULL;
}

/* Answer a command of at least one word. */
static void answer(const char **words) {
    int command = find(words[0]), player;
    const char *problem = NULL, *winner = is_goal(BLACK, board.pawn[BLACK]) ? "true black" : "true white";
    if (command == NAME) puts("= Example engine in C\n");
    else if (command == KNOWN_COMMAND) puts(find(words[1]) == UNKNOWN ? "= false\n" : "= true\n");
    else if (command == WINNER) printf("= %s\n\n", is_over() ? winner : "false");
    else if (command == SHOWBOARD) showboard();
    else if (command == GENMOVE && parse_color(words[1], &player)) genmove(player);
    else if (command == LIST_COMMANDS)
        for (int i = 0; i < UNKNOWN; i++) printf("%s%s\n%s", i ? "" : "= ", COMMANDS[i], i < UNKNOWN - 1 ? "" : "\n");
    else if (command == UNKNOWN) problem = "unknown command";
    else if (command == GENMOVE) problem = "syntax error";
    else if (command == QUIT || !(problem = change(command, words))) puts("=\n");
    if (problem) printf("? %s\n\n", problem);
}

int main(void) {
    static char line[LINE];
    clear_board();
    while (fgets(line, LINE, stdin)) {
        const char *words[WORDS] = {"", "", "", "", ""};
        int count = 0;
        char *end = line;
        line[strcspn(line, "#")] = '\0'; /* preprocessing, section 2.1: no comments, no control characters */
        for (char *at = line; *at; at++)
            if (!iscntrl((unsigned char)*at) || *at == '\t') *end++ = *at;
        *end = '\0';
        for (char *word = strtok(line, " \t"); word && count < WORDS; word = strtok(NULL, " \t")) words[count++] = word;
        if (count > 0) answer(words); /* empty lines have no answer */
        if (find(words[0]) == QUIT) break;
        fflush(stdout); /* otherwise the answer stays in the buffer, and the controller waits for ever */
    }
}
