/* A move server of the 2016 Quoridor protocol in C, for systems with fork: one player for display clients.
 *
 *     cc -std=c11 -Wall -Wextra -O2 -o move_server move_server.c
 *     ./move_server --port 5858
 *
 * docs/rules.md has the rules (R1, R2 ... below) and docs/handout.md the protocol. Squares are (column, row),
 * counted from 0 at the top left; the wall [(c, r), h] lies below (c, r) and (c+1, r), and [(c, r), v] lies
 * right of (c, r) and (c, r+1).
 */
#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <ctype.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SIZE = 9, PLAYERS = 4, LINE = 1024, UNREACHABLE = 999 };
#define NAME "exc:walker" /* some clients expect three characters before the colon */

typedef struct { int column, row; } Square;
typedef struct { Square at; char kind; } Move; /* kind: 'h' or 'v' for a wall, 0 for a step of the pawn */

typedef struct {
    int players;                   /* 2 or 4 */
    Square pawn[PLAYERS + 1];      /* by player number, from 1 */
    bool in_game[PLAYERS + 1];
    int walls_left[PLAYERS + 1];
    char wall[SIZE - 1][SIZE - 1]; /* by column and row: 'h', 'v' or 0 */
} Board;

static const Square DIRECTIONS[4] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};

/* ---- The rules ---- */

static Board new_board(int players) {
    Board board = {.players = players, .pawn = {{0, 0}, {4, 0}, {4, 8}, {0, 4}, {8, 4}}};
    for (int player = 1; player <= players; player++)
        board.in_game[player] = true, board.walls_left[player] = players == 2 ? 10 : 5;
    return board;
}

static bool is_goal(int player, Square s) {
    return player == 1 ? s.row == SIZE - 1 : player == 2 ? s.row == 0
         : player == 3 ? s.column == SIZE - 1 : s.column == 0;
}

static bool has_wall(const Board *board, int c, int r, char kind) {
    return c >= 0 && c < SIZE - 1 && r >= 0 && r < SIZE - 1 && board->wall[c][r] == kind;
}

static bool has_pawn(const Board *board, Square s) {
    for (int player = 1; player <= board->players; player++)
        if (board->in_game[player] && board->pawn[player].column == s.column && board->pawn[player].row == s.row)
            return true;
    return false;
}

/* Put the neighbour of `from` in this direction into `to`; return false if an edge or wall blocks it (R5). */
static bool is_open(const Board *board, Square from, int direction, Square *to) {
    Square d = DIRECTIONS[direction];
    *to = (Square){from.column + d.column, from.row + d.row};
    if (to->column < 0 || to->column >= SIZE || to->row < 0 || to->row >= SIZE) return false;
    int c = from.column < to->column ? from.column : to->column;
    int r = from.row < to->row ? from.row : to->row;
    if (d.column == 0) /* up or down: a horizontal wall may begin here or one column to the left */
        return !has_wall(board, c, r, 'h') && !has_wall(board, c - 1, r, 'h');
    return !has_wall(board, c, r, 'v') && !has_wall(board, c, r - 1, 'v');
}

/* Return the number of steps from `from` to the player's goal line; pawns do not block it (R11). */
static int distance(const Board *board, int player, Square from) {
    int reached[SIZE][SIZE] = {{0}}; /* one more than the number of steps; 0 for unreached squares */
    Square queue[SIZE * SIZE] = {from}, to;
    reached[from.column][from.row] = 1;
    for (int first = 0, last = 1; first < last; first++) {
        Square s = queue[first];
        if (is_goal(player, s)) return reached[s.column][s.row] - 1;
        for (int d = 0; d < 4; d++) {
            if (!is_open(board, s, d, &to) || reached[to.column][to.row]) continue;
            reached[to.column][to.row] = reached[s.column][s.row] + 1;
            queue[last++] = to;
        }
    }
    return UNREACHABLE;
}

static int path_length(const Board *board, int player) { return distance(board, player, board->pawn[player]); }

/* Put the squares that the pawn may step to into `found`; return their number (R6 to R9). */
static int legal_steps(const Board *board, int player, Square found[12]) {
    int count = 0;
    for (int d = 0; d < 4; d++) {
        Square next, behind, side;
        if (!is_open(board, board->pawn[player], d, &next)) continue;
        if (!has_pawn(board, next))
            found[count++] = next;
        else if (is_open(board, next, d, &behind) && !has_pawn(board, behind))
            found[count++] = behind; /* straight over the other pawn */
        else
            for (int turn = 0; turn < 4; turn++) /* to its sides; our own pawn is on the fourth square */
                if (is_open(board, next, turn, &side) && !has_pawn(board, side)) found[count++] = side;
    }
    return count;
}

static bool is_legal_wall(Board *board, int player, Move wall) {
    int c = wall.at.column, r = wall.at.row;
    bool is_vertical = wall.kind == 'v', paths = true;
    if (board->walls_left[player] == 0 || c < 0 || c >= SIZE - 1 || r < 0 || r >= SIZE - 1) return false;
    if (board->wall[c][r]) return false; /* R10: the same wall, or one that crosses it */
    if (has_wall(board, c - !is_vertical, r - is_vertical, wall.kind)) return false; /* overlaps another wall */
    if (has_wall(board, c + !is_vertical, r + is_vertical, wall.kind)) return false;
    board->wall[c][r] = wall.kind;
    for (int other = 1; other <= board->players; other++)
        if (board->in_game[other] && path_length(board, other) == UNREACHABLE) paths = false; /* R11 */
    board->wall[c][r] = 0;
    return paths;
}

static void make_move(Board *board, int player, Move move) {
    if (!move.kind) {
        board->pawn[player] = move.at;
        return;
    }
    board->wall[move.at.column][move.at.row] = move.kind;
    board->walls_left[player]--;
}

/* ---- The player: the part to improve ---- */

/* Return the legal wall near the rival that lengthens its path most compared with ours, by more than `gain`. */
static Move best_wall(Board *board, int player, int rival, int reach, int gain) {
    Move found = {{0, 0}, 0};
    Square near = board->pawn[rival];
    int lead = path_length(board, rival) - path_length(board, player);
    for (int c = near.column - reach; c < near.column + reach; c++)
        for (int r = near.row - reach; r < near.row + reach; r++)
            for (int vertical = 0; vertical < 2; vertical++) {
                Move wall = {{c, r}, "hv"[vertical]};
                if (!is_legal_wall(board, player, wall)) continue;
                board->wall[c][r] = wall.kind;
                int gained = path_length(board, rival) - path_length(board, player) - lead;
                board->wall[c][r] = 0;
                if (gained > gain) gain = gained, found = wall;
            }
    return found;
}

static Move choose(Board *board, int player) {
    int rival = player; /* the other player closest to its goal line */
    for (int other = 1; other <= board->players; other++)
        if (other != player && board->in_game[other])
            if (rival == player || path_length(board, other) < path_length(board, rival)) rival = other;
    if (path_length(board, rival) < path_length(board, player)) { /* the rival is closer: block it */
        Move wall = best_wall(board, player, rival, 2, 0);
        if (wall.kind) return wall;
    }
    Square steps[12];
    int count = legal_steps(board, player, steps), best = 0;
    if (count == 0) return best_wall(board, player, rival, SIZE, -UNREACHABLE); /* no legal step: any legal wall */
    for (int i = 1; i < count; i++)
        if (distance(board, player, steps[i]) < distance(board, player, steps[best])) best = i;
    return (Move){steps[best], 0};
}

/* ---- The protocol ---- */

/* Parse `(4, 1)` or `[(3, 1), h]`, with any spacing; false if the text is neither. */
static bool parse_move(const char *text, Move *move) {
    int end = 0;
    move->kind = 0;
    if (sscanf(text, " ( %1d , %1d ) %n", &move->at.column, &move->at.row, &end) == 2 && end)
        return !text[end] && move->at.column < SIZE && move->at.row < SIZE;
    sscanf(text, " [ ( %1d , %1d ) , %c ] %n", &move->at.column, &move->at.row, &move->kind, &end);
    move->kind = (char)tolower((unsigned char)move->kind);
    if (move->kind == 'w') move->kind = 'v'; /* the specification once says "h or w" */
    bool is_wall = move->kind == 'h' || move->kind == 'v';
    return end && !text[end] && is_wall && move->at.column < SIZE - 1 && move->at.row < SIZE - 1;
}

/* Answer one line; return false once the game is over for this player. Invalid lines are ignored. */
static bool answer(int connection, Board *board, int *self, const char *line) {
    char word[16] = "", rest[4][256];
    int player = 0, end = 0;
    Move move;
    sscanf(line, "%15s %1d %n", word, &player, &end);
    if (!strcasecmp(word, "HELLO")) {
        dprintf(connection, "IAM %s\n", NAME);
    } else if (!strcasecmp(word, "GAME")) {
        int names = sscanf(line + end, "%255s %255s %255s %255s", rest[0], rest[1], rest[2], rest[3]);
        if ((names == 2 || names == 4) && player >= 1 && player <= names) *board = new_board(names), *self = player;
    } else if (!strcasecmp(word, "MYOUSHU") && *self) {
        move = choose(board, *self); /* made on the board only when ATARI reports it, like all moves */
        const char *form = move.kind ? "TESUJI [(%d, %d), %c]\n" : "TESUJI (%d, %d)\n";
        dprintf(connection, form, move.at.column, move.at.row, move.kind);
    } else if (player >= 1 && player <= board->players && end) {
        if (!strcasecmp(word, "ATARI") && parse_move(line + end, &move)) make_move(board, player, move);
        if (!strcasecmp(word, "GOTE") && !line[end]) board->in_game[player] = false; /* the walls stay */
        return line[end] || (strcasecmp(word, "KIKASHI") && board->in_game[*self]);
    }
    return true;
}

/* Serve one client. TCP carries bytes, not lines: a line can arrive in parts, and several can arrive at once. */
static int serve(int connection) {
    char line[LINE];
    int length = 0, self = 0, byte;
    Board board = {0};
    FILE *input = fdopen(connection, "r"); /* buffered, so that reading single bytes is fast */
    while (input && (byte = getc(input)) != EOF) {
        if (byte != '\n') { /* cut off lines that are too long; sscanf skips the CR */
            if (length < LINE - 1) line[length++] = (char)byte;
            continue;
        }
        line[length] = '\0';
        length = 0;
        if (!answer(connection, &board, &self, line)) break;
    }
    return 0;
}

int main(int count, char **words) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
    socklen_t size = sizeof address;
    int on = 1, listener = socket(AF_INET, SOCK_STREAM, 0); /* without --port the system chooses a port */
    if (count == 3 && !strcmp(words[1], "--port")) address.sin_port = htons((unsigned short)atoi(words[2]));
    signal(SIGCHLD, SIG_IGN); /* the system reaps the processes of clients */
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on); /* allow a restart at once */
    if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 16)) {
        perror("cannot listen");
        return 1;
    }
    getsockname(listener, (struct sockaddr *)&address, &size);
    printf("%s is ready on port %d\n", NAME, ntohs(address.sin_port));
    fflush(stdout);
    for (;;) { /* one process per client, for concurrent games */
        int connection = accept(listener, NULL, NULL);
        if (connection >= 0 && fork() == 0) return serve(connection);
        close(connection);
    }
}
