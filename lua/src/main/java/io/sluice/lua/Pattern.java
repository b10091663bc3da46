package io.sluice.lua;

/**
 * One match of a Lua 5.1 pattern against a subject: a backtracking matcher over bytes. It looks at the interrupt
 * flag every
 * so many steps, so that a pattern that explodes ends at the time limit; and its recursion is bounded.
 */
final class Pattern {

    private static final int CAPTURES_MAX = 32;
    private static final int DEPTH_MAX = 200;
    /** Steps between two looks at the interrupt flag. */
    private static final int CHECK_MASK = 0x3ff;

    private static final int NO_MATCH = -1;
    private static final int UNFINISHED = -1;
    private static final int POSITION = -2;
    private static final int ESCAPE = '%';

    int level;
    /** Where the match that a search found ends. */
    int end;

    private final LuaRuntime rt;
    private final byte[] subject;
    private final byte[] pattern;
    private final int patternEnd;
    private final int[] captureStart = new int[CAPTURES_MAX];
    private final int[] captureLength = new int[CAPTURES_MAX];
    private int depth;
    private int steps;

    Pattern(LuaRuntime rt, LuaString subject, LuaString pattern) {
        this.rt = rt;
        this.subject = subject.bytes;
        this.pattern = pattern.bytes;
        int nul = 0;
        while (nul < this.pattern.length && this.pattern[nul] != 0) {
            nul++;
        }
        this.patternEnd = nul;
    }

    /** Whether the pattern is anchored, and where it begins then: 1, else 0. */
    int anchor() {
        return patternEnd > 0 && pattern[0] == '^' ? 1 : 0;
    }

    /** The end of a match that begins at {@code s}, or -1. */
    int match(int s, int p) {
        level = 0;
        depth = 0;
        return doMatch(s, p);
    }

    /** The number of values a match gives: its captures, or the whole match. */
    int captureCount() {
        return level == 0 ? 1 : level;
    }

    /** A capture, or the whole match (from s to e) where there are none. */
    Object capture(int i, int s, int e) {
        if (i >= level) {
            if (i != 0) {
                throw rt.error("invalid capture index");
            }
            return rt.counted(LuaString.copyOf(subject, s, e));
        }
        int length = captureLength[i];
        if (length == UNFINISHED) {
            throw rt.error("unfinished capture");
        }
        int start = captureStart[i];
        if (length == POSITION) {
            return (double) (start + 1);
        }
        return rt.counted(LuaString.copyOf(subject, start, start + length));
    }

    private int patternAt(int p) {
        return p < patternEnd ? pattern[p] & 0xff : 0;
    }

    private void step() {
        if ((++steps & CHECK_MASK) == 0) {
            rt.checkpoint();
        }
    }

    private int doMatch(int from, int at) {
        if (++depth > DEPTH_MAX) {
            throw rt.error("pattern too complex");
        }
        int result = matchItems(from, at);
        depth--;
        return result;
    }

    private int matchItems(int from, int at) {
        int s = from;
        int p = at;
        while (true) {
            step();
            if (p >= patternEnd) {
                return s;
            }
            int c = patternAt(p);
            if (c == '(') {
                boolean position = patternAt(p + 1) == ')';
                return position ? startCapture(s, p + 2, POSITION) : startCapture(s, p + 1, UNFINISHED);
            }
            if (c == ')') {
                return endCapture(s, p + 1);
            }
            if (c == '$' && p + 1 == patternEnd) {
                return s == subject.length ? s : NO_MATCH;
            }
            int next = patternAt(p + 1);
            if (c == ESCAPE && (next == 'b' || next == 'f' || CharClass.isDigit(next))) {
                s = special(s, p, next);
                if (s == NO_MATCH) {
                    return NO_MATCH;
                }
                p = next == 'b' ? p + 4 : next == 'f' ? classEnd(p + 2) : p + 2;
                continue;
            }
            int after = classEnd(p);
            boolean fits = s < subject.length && single(subject[s] & 0xff, p, after);
            int suffix = patternAt(after);
            if (suffix == '?') {
                int result = fits ? doMatch(s + 1, after + 1) : NO_MATCH;
                if (result != NO_MATCH) {
                    return result;
                }
                p = after + 1;
            } else if (suffix == '*') {
                return longest(s, p, after);
            } else if (suffix == '+') {
                return fits ? longest(s + 1, p, after) : NO_MATCH;
            } else if (suffix == '-') {
                return shortest(s, p, after);
            } else if (!fits) {
                return NO_MATCH;
            } else {
                s++;
                p = after;
            }
        }
    }

    /** {@code %b}, {@code %f} or {@code %1}: where the subject goes on. */
    private int special(int s, int p, int kind) {
        if (kind == 'b') {
            return balance(s, p + 2);
        }
        if (kind == 'f') {
            return frontier(s, p + 2);
        }
        int i = kind - '1';
        if (i < 0 || i >= level || captureLength[i] == UNFINISHED) {
            throw rt.error("invalid capture index");
        }
        int length = Math.max(captureLength[i], 0);
        if (captureLength[i] == POSITION || length > subject.length - s) {
            return NO_MATCH;
        }
        for (int j = 0; j < length; j++) {
            if (subject[captureStart[i] + j] != subject[s + j]) {
                return NO_MATCH;
            }
        }
        return s + length;
    }

    private int balance(int s, int p) {
        if (p + 1 >= patternEnd) {
            throw rt.error("unbalanced pattern");
        }
        if (s >= subject.length || subject[s] != pattern[p]) {
            return NO_MATCH;
        }
        int open = 1;
        for (int i = s + 1; i < subject.length; i++) {
            step();
            if (subject[i] == pattern[p + 1]) {
                if (--open == 0) {
                    return i + 1;
                }
            } else if (subject[i] == pattern[p]) {
                open++;
            }
        }
        return NO_MATCH;
    }

    private int frontier(int s, int p) {
        if (patternAt(p) != '[') {
            throw rt.error("missing '[' after '%f' in pattern");
        }
        int after = classEnd(p);
        int before = s == 0 ? 0 : subject[s - 1] & 0xff;
        int here = s < subject.length ? subject[s] & 0xff : 0;
        return !set(before, p, after - 1) && set(here, p, after - 1) ? s : NO_MATCH;
    }

    private int longest(int s, int p, int after) {
        int i = 0;
        while (s + i < subject.length && single(subject[s + i] & 0xff, p, after)) {
            step();
            i++;
        }
        for (; i >= 0; i--) {
            int result = doMatch(s + i, after + 1);
            if (result != NO_MATCH) {
                return result;
            }
        }
        return NO_MATCH;
    }

    private int shortest(int from, int p, int after) {
        int s = from;
        while (true) {
            int result = doMatch(s, after + 1);
            if (result != NO_MATCH) {
                return result;
            }
            if (s >= subject.length || !single(subject[s] & 0xff, p, after)) {
                return NO_MATCH;
            }
            s++;
        }
    }

    private int startCapture(int s, int p, int kind) {
        if (level >= CAPTURES_MAX) {
            throw rt.error("too many captures");
        }
        captureStart[level] = s;
        captureLength[level] = kind;
        level++;
        int result = doMatch(s, p);
        if (result == NO_MATCH) {
            level--;
        }
        return result;
    }

    private int endCapture(int s, int p) {
        int open = -1;
        for (int i = level - 1; i >= 0 && open < 0; i--) {
            open = captureLength[i] == UNFINISHED ? i : -1;
        }
        if (open < 0) {
            throw rt.error("invalid pattern capture");
        }
        captureLength[open] = s - captureStart[open];
        int result = doMatch(s, p);
        if (result == NO_MATCH) {
            captureLength[open] = UNFINISHED;
        }
        return result;
    }

    /** The index behind the single-character class at p. */
    private int classEnd(int p) {
        int c = patternAt(p);
        if (c == ESCAPE) {
            if (p + 1 >= patternEnd) {
                throw rt.error("malformed pattern (ends with '%')");
            }
            return p + 2;
        }
        if (c != '[') {
            return p + 1;
        }
        int i = p + 1;
        if (patternAt(i) == '^') {
            i++;
        }
        do {
            if (i >= patternEnd) {
                throw rt.error("malformed pattern (missing ']')");
            }
            if (patternAt(i) == ESCAPE && i + 1 < patternEnd) {
                i++;
            }
            i++;
        } while (patternAt(i) != ']' || i >= patternEnd);
        return i + 1;
    }

    private boolean single(int c, int p, int after) {
        int x = pattern[p] & 0xff;
        return switch (x) {
            case '.' -> true;
            case ESCAPE -> inClass(c, pattern[p + 1] & 0xff);
            case '[' -> set(c, p, after - 1);
            default -> x == c;
        };
    }

    /** Whether a set, from its '[' to its ']', has a character. */
    private boolean set(int c, int from, int close) {
        int p = from + 1;
        boolean wanted = true;
        if (patternAt(p) == '^') {
            wanted = false;
            p++;
        }
        while (p < close) {
            int x = pattern[p] & 0xff;
            if (x == ESCAPE) {
                if (inClass(c, pattern[p + 1] & 0xff)) {
                    return wanted;
                }
                p += 2;
            } else if (p + 2 < close && pattern[p + 1] == '-') {
                if (x <= c && c <= (pattern[p + 2] & 0xff)) {
                    return wanted;
                }
                p += 3;
            } else {
                if (x == c) {
                    return wanted;
                }
                p++;
            }
        }
        return !wanted;
    }

    private static boolean inClass(int c, int letter) {
        int lower = CharClass.isUpper(letter) ? letter + 32 : letter;
        boolean in = switch (lower) {
            case 'a' -> CharClass.isAlpha(c);
            case 'c' -> CharClass.isControl(c);
            case 'd' -> CharClass.isDigit(c);
            case 'l' -> CharClass.isLower(c);
            case 'p' -> CharClass.isPunctuation(c);
            case 's' -> CharClass.isSpace(c);
            case 'u' -> CharClass.isUpper(c);
            case 'w' -> CharClass.isAlnum(c);
            case 'x' -> CharClass.isHexDigit(c);
            case 'z' -> c == 0;
            default -> letter == c;
        };
        boolean isClass = lower >= 'a' && lower <= 'z' && "acdlpsuwxz".indexOf(lower) >= 0;
        return isClass && CharClass.isUpper(letter) ? !in : in;
    }
}
