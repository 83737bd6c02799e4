/* A hand-written C loop for one-round duels between two copies of the "ladder" strategy: the yardstick
 * for the compiled simulator. Deals follow lcsim/rules/streams.py, so the results can be compared round by round.
 *
 *   gcc -O3 -march=native duel_reference.c -o duel_reference && ./duel_reference ROUNDS [SEED]
 *
 * prints one JSON line: rounds, seconds, rounds_per_s, mean scores of both seats, and an FNV-1a digest of
 * the scores (seat 0 then seat 1 of each round in deal order, each as a little-endian int32).
 *
 * Ruleset: duel (5 colours, bonus of 20 for 8 cards), one round, seat 0 starts, deal index 0 .. ROUNDS-1.
 * ladder, to lay or discard, first rule that applies:
 *   1. over the started expeditions, the hand card of lowest rank that can be laid (a wager ranks 0; ties:
 *      lowest colour): lay it;
 *   2. with more than 20 cards in the draw pile: of the colours not started, the one with most hand cards
 *      (ties: lowest colour), if it has any: lay its card of lowest rank;
 *   3. discard the card of lowest rank of the lowest colour in hand.
 * ladder, to draw: of the discard piles other than the one just discarded to, whose top card can be laid on
 * a started expedition, the top card of highest rank (ties: lowest colour); else the draw pile.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COLORS = 5, CARDS = 12, DECK = COLORS * CARDS, HAND = 8 };
typedef struct { uint16_t hand[COLORS], laid[COLORS]; } Seat;
typedef struct { uint8_t card[COLORS][CARDS], size[COLORS]; } Discards;

static inline uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}
typedef struct { uint64_t s[4]; } Rng;
static inline void rng_open(Rng *r, uint64_t seed, uint64_t deal, uint64_t round, uint64_t stream) {
    const uint64_t g = 0x9E3779B97F4A7C15ull;
    uint64_t k = mix(seed + g + deal);
    k = mix(k + g + round);
    k = mix(k + g + stream);
    for (int i = 0; i < 4; i++) { k += g; r->s[i] = mix(k); }
}
static inline uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
static inline uint64_t rng_next(Rng *r) {
    uint64_t *s = r->s, out = rotl(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t; s[3] = rotl(s[3], 45);
    return out;
}
static inline uint32_t rng_below(Rng *r, uint32_t n) {
    for (;;) {
        uint64_t m = (rng_next(r) >> 32) * n;
        uint32_t low = (uint32_t)m;
        if (low >= n || low >= -n % n) return (uint32_t)(m >> 32);
    }
}

static inline int rank(int i) { return i < 3 ? 0 : i - 1; }
static inline unsigned above(unsigned laid) { /* card indices that may still be laid */
    if (!(laid >> 3)) return 0xFFF;
    int top = 31 - __builtin_clz(laid);
    return 0xFFFu & ~((2u << top) - 1);
}
static inline int score(unsigned laid) {
    if (!laid) return 0;
    int sum = -20;
    for (unsigned numbers = laid & 0xFF8; numbers; numbers &= numbers - 1) sum += __builtin_ctz(numbers) - 1;
    return sum * (1 + __builtin_popcount(laid & 7)) + (__builtin_popcount(laid) >= 8 ? 20 : 0);
}

/* colour * 16 + card, plus 256 to discard */
static int ladder_play(const Seat *me, int pile) {
    int best = 99, move = -1;
    for (int c = 0; c < COLORS; c++) {
        unsigned can = me->laid[c] ? me->hand[c] & above(me->laid[c]) : 0;
        if (can && rank(__builtin_ctz(can)) < best) { best = rank(__builtin_ctz(can)); move = c * 16 + __builtin_ctz(can); }
    }
    if (move >= 0) return move;
    if (pile > 20) {
        int most = 0;
        for (int c = 0; c < COLORS; c++) {
            int n = me->laid[c] ? 0 : __builtin_popcount(me->hand[c]);
            if (n > most) { most = n; move = c * 16 + __builtin_ctz(me->hand[c]); }
        }
        if (move >= 0) return move;
    }
    for (int c = 0;; c++)
        if (me->hand[c]) return 256 + c * 16 + __builtin_ctz(me->hand[c]);
}
static int ladder_draw(const Seat *me, const Discards *d, int blocked) {
    int best = -1, from = -1;
    for (int c = 0; c < COLORS; c++) {
        if (!d->size[c] || c == blocked || !me->laid[c]) continue;
        int top = d->card[c][d->size[c] - 1];
        if ((above(me->laid[c]) >> top & 1) && rank(top) > best) { best = rank(top); from = c; }
    }
    return from;
}

typedef int (*Play)(const Seat *, int);
typedef int (*Draw)(const Seat *, const Discards *, int);

__attribute__((noinline)) static void simulate(long rounds, uint64_t seed, Play play[2], Draw draw[2], int32_t *out) {
    uint8_t full[DECK];
    for (int i = 0; i < DECK; i++) full[i] = (uint8_t)(i / CARDS * 16 + i % CARDS);
    for (long deal = 0; deal < rounds; deal++) {
        uint8_t deck[DECK];
        memcpy(deck, full, DECK);
        Rng rng;
        rng_open(&rng, seed, (uint64_t)deal, 0, 0);
        for (int i = DECK - 1; i > 0; i--) {
            uint32_t j = rng_below(&rng, (uint32_t)i + 1);
            uint8_t t = deck[i]; deck[i] = deck[j]; deck[j] = t;
        }
        Seat seat[2];
        Discards discards;
        memset(seat, 0, sizeof seat);
        memset(discards.size, 0, sizeof discards.size);
        int next = 0;
        for (; next < 2 * HAND; next++) seat[next & 1].hand[deck[next] >> 4] |= 1u << (deck[next] & 15);
        for (int turn = 0; next < DECK; turn++) {
            Seat *me = &seat[turn & 1];
            int move = play[turn & 1](me, DECK - next), c = move >> 4 & 15, i = move & 15, blocked = -1;
            me->hand[c] &= (uint16_t)~(1u << i);
            if (move & 256) { discards.card[c][discards.size[c]++] = (uint8_t)i; blocked = c; }
            else me->laid[c] |= 1u << i;
            int from = draw[turn & 1](me, &discards, blocked);
            if (from < 0) { uint8_t card = deck[next++]; me->hand[card >> 4] |= 1u << (card & 15); }
            else me->hand[from] |= 1u << discards.card[from][--discards.size[from]];
        }
        for (int s = 0; s < 2; s++) {
            int total = 0;
            for (int c = 0; c < COLORS; c++) total += score(seat[s].laid[c]);
            out[deal * 2 + s] = total;
        }
    }
}

int main(int argc, char **argv) {
    long rounds = argc > 1 ? atol(argv[1]) : 400000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], 0, 10) : 2026;
    int32_t *out = malloc((size_t)rounds * 2 * sizeof *out);
    Play play[2] = {ladder_play, ladder_play};
    Draw draw[2] = {ladder_draw, ladder_draw};
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    simulate(rounds, seed, play, draw, out);
    clock_gettime(CLOCK_MONOTONIC, &b);
    double s = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec), mean[2] = {0, 0};
    uint64_t h = 0xCBF29CE484222325ull;
    for (long i = 0; i < rounds * 2; i++) {
        mean[i & 1] += out[i];
        for (int k = 0; k < 4; k++) h = (h ^ (uint8_t)((uint32_t)out[i] >> (8 * k))) * 0x100000001B3ull;
    }
    printf("{\"rounds\": %ld, \"seconds\": %.4f, \"rounds_per_s\": %.0f, \"mean_0\": %.6f, \"mean_1\": %.6f, \"digest\": \"%016llx\"}\n",
           rounds, s, rounds / s, mean[0] / rounds, mean[1] / rounds, (unsigned long long)h);
    return 0;
}
