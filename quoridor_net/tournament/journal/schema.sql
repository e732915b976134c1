-- The journal of a tournament, documented in docs/reference/journal.md.
-- Seats, rounds, games and plies are numbered from 1; times are ISO 8601 in UTC; durations are seconds.

-- The events, as the objects of docs/reference/events.md, without moves. All other tables are derived from this
-- one and from moves. checksum is the CRC-32 of the number, a space and the object. Readers compare the highest
-- number, which SQLite keeps in sqlite_sequence, to notice that the last events are missing.
CREATE TABLE events (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    time TEXT NOT NULL,
    event TEXT NOT NULL,
    game INTEGER,
    object TEXT NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE tournaments (
    rules TEXT NOT NULL,
    settings TEXT NOT NULL,
    started_at TEXT NOT NULL,
    ended_at TEXT
) STRICT;

CREATE TABLE entrants (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    address TEXT NOT NULL,
    joined_round INTEGER NOT NULL,
    withdrawn_at TEXT
) STRICT;

CREATE TABLE rounds (number INTEGER PRIMARY KEY, paired_at TEXT NOT NULL) STRICT;

-- points: one for each game that the others play in the round.
CREATE TABLE byes (
    round INTEGER NOT NULL REFERENCES rounds,
    entrant INTEGER NOT NULL REFERENCES entrants,
    points REAL NOT NULL,
    PRIMARY KEY (round, entrant)
) STRICT, WITHOUT ROWID;

-- pair: games with the same number above 0 have the same opening and swapped colours.
-- moves_checksum is the CRC-32 of the moves, one line each: seat, move and seconds, separated by spaces.
CREATE TABLE games (
    number INTEGER PRIMARY KEY,
    round INTEGER NOT NULL REFERENCES rounds,
    pair INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    started_at TEXT,
    ended_at TEXT,
    winner INTEGER,
    termination TEXT,
    sentence TEXT,
    line TEXT,
    plies INTEGER,
    moves_checksum INTEGER
) STRICT;

CREATE TABLE seats (
    game INTEGER NOT NULL REFERENCES games,
    seat INTEGER NOT NULL,
    entrant INTEGER NOT NULL REFERENCES entrants,
    points REAL,
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

-- Of games with a result. time_left: on the player's clock after the move; NULL without a clock. score: its value of
-- the move, in hundredths of a step; NULL for none.
CREATE TABLE moves (
    game INTEGER NOT NULL REFERENCES games,
    ply INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    move TEXT NOT NULL,
    seconds REAL NOT NULL,
    time_left REAL,
    score INTEGER,
    PRIMARY KEY (game, ply)
) STRICT, WITHOUT ROWID;

-- Every player eliminated from a game, void games included. ply: number of moves before that.
CREATE TABLE faults (
    game INTEGER NOT NULL REFERENCES games,
    seat INTEGER NOT NULL,
    ply INTEGER NOT NULL,
    time TEXT NOT NULL,
    termination TEXT NOT NULL,
    sentence TEXT NOT NULL,
    line TEXT NOT NULL,
    hint TEXT NOT NULL
) STRICT;

-- Times for which an entrant of a league did not answer, or had left before it returned. back_at: NULL while it is away.
-- It is also away while it rests after faults. sentence: why it was away; empty if it had left.
CREATE TABLE absences (
    entrant INTEGER NOT NULL REFERENCES entrants,
    away_at TEXT NOT NULL,
    back_at TEXT,
    sentence TEXT NOT NULL
) STRICT;

-- New versions of entrants of a league. first_game: the number of the first game that the version may have played.
-- elo: the rating that it starts with.
CREATE TABLE versions (
    entrant INTEGER NOT NULL REFERENCES entrants,
    first_game INTEGER NOT NULL,
    time TEXT NOT NULL,
    version TEXT NOT NULL,
    elo REAL
) STRICT;

-- Lines sent and received in a seat at a move server, in games that were void or lost by a fault. checksum is the
-- CRC-32 of game, seat and text, separated by spaces.
CREATE TABLE transcripts (
    game INTEGER NOT NULL REFERENCES games,
    seat INTEGER NOT NULL,
    text TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (game, seat)
) STRICT;

-- Requests of other terminals to the program that plays the tournament. answer: NULL until it is done or
-- refused.
CREATE TABLE requests (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    time TEXT NOT NULL,
    request TEXT NOT NULL,
    argument TEXT NOT NULL,
    answer TEXT
) STRICT;

CREATE INDEX seats_by_entrant ON seats (entrant);

CREATE VIEW results AS
SELECT games.number AS game, round, entrants.name, seat, points, termination, plies, started_at, ended_at
FROM seats JOIN games ON games.number = seats.game JOIN entrants ON entrants.number = seats.entrant
WHERE games.termination IS NOT NULL;

CREATE VIEW scores AS
SELECT entrants.number, entrants.name, count(points) AS played,
    total(points) + (SELECT total(points) FROM byes WHERE entrant = entrants.number) AS points,
    count(*) FILTER (WHERE points = 1.0) AS won,
    count(*) FILTER (WHERE points = 0.5) AS drawn,
    count(*) FILTER (WHERE points = 0.0) AS lost
FROM entrants LEFT JOIN seats ON seats.entrant = entrants.number
GROUP BY entrants.number;
