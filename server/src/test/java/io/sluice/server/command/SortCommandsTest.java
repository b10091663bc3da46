package io.sluice.server.command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

class SortCommandsTest {
    private static final String NOT_NUMBERS = "-ERR One or more scores can't be converted into double";

    private final CommandTester redis = new CommandTester();

    @AfterEach
    void close() {
        redis.close();
    }

    private String run(String line) {
        return redis.run(line.split(" "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SORT l                     | *4 $2 -1 $1 3 $1 3 $2 20
            SORT l DESC                | *4 $2 20 $1 3 $1 3 $2 -1
            SORT l desc asc            | *4 $2 -1 $1 3 $1 3 $2 20
            SORT l ALPHA               | *4 $2 -1 $2 20 $1 3 $1 3
            SORT l LIMIT 1 2           | *2 $1 3 $1 3
            SORT l LIMIT -5 1          | *1 $2 -1
            SORT l LIMIT 3 -1          | *1 $2 20
            SORT l LIMIT 4 1           | *0
            SORT l LIMIT 0 0           | *0
            SORT l BY nosort           | *4 $1 3 $2 20 $2 -1 $1 3
            SORT l BY nosort DESC      | *4 $1 3 $2 -1 $2 20 $1 3
            SORT l BY nosort LIMIT 1 1 | *1 $2 20
            SORT_RO l LIMIT 0 1        | *1 $2 -1
            SORT z                     | *3 $1 1 $1 2 $1 3
            SORT z BY nosort           | *3 $1 3 $1 1 $1 2
            SORT z BY nosort DESC      | *3 $1 2 $1 1 $1 3
            SORT s DESC                | *3 $2 10 $1 9 $1 8
            SORT nothing               | *0
            SORT text                  | -WRONGTYPE Operation against a key holding the wrong kind of value
            SORT l LIMIT 1             | -ERR syntax error
            SORT l LIMIT a 1           | -ERR value is not an integer or out of range
            SORT l BY                  | -ERR syntax error
            SORT_RO l STORE d          | -ERR syntax error
            """)
    void shouldSort(String line, String reply) {
        run("RPUSH l 3 20 -1 3");
        run("ZADD z 1 3 2 1 3 2");
        run("SADD s 9 10 8");
        run("SET text a");
        assertEquals(reply, run(line));
    }

    @Test
    void shouldSortByWhatElementsNameAndAnswerWithIt() {
        run("RPUSH l a b c");
        run("MSET w_a 3 w_b 1 w_c 2");
        run("HSET h_a f x n 1");
        run("HSET h_b f y n 3");
        assertEquals("*3 $1 b $1 c $1 a", run("SORT l BY w_*"));
        assertEquals("*3 $1 c $1 a $1 b", run("SORT l BY h_*->n"));
        assertEquals("*6 $1 b $1 y $1 c $-1 $1 a $1 x", run("SORT l BY w_* GET # GET h_*->f"));
        assertEquals("*3 $1 1 $1 2 $1 3", run("SORT l BY w_* GET w_*"));
        assertEquals("*3 $-1 $-1 $-1", run("SORT l BY w_* GET nostar"));
        assertEquals("*3 $-1 $-1 $-1", run("SORT l ALPHA GET h_*->"));
        assertEquals("*3 $1 c $1 a $1 b", run("SORT l ALPHA BY h_*->f"));
        assertEquals("*3 $1 b $1 a $1 c", run("SORT l ALPHA DESC BY h_*->f"));
        assertEquals("*3 $1 b $1 c $1 a", run("SORT l ALPHA BY w_*"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "1x", "nan", "1e400", "1e-400", " ", "0x", "--1"})
    void shouldSayWhatIsNoNumber(String element) {
        redis.run("RPUSH", "l", "1", element);
        assertEquals(NOT_NUMBERS, run("SORT l"));
        assertEquals(NOT_NUMBERS, run("SORT l STORE d"));
        assertEquals(":0", run("EXISTS d"));
    }

    @Test
    void shouldReadNumbersAsCDoes() {
        redis.run("RPUSH", "l", " 7", "0x10", "inf", "-inf", "", "1.5e1", "-0");
        assertEquals("*7 $4 -inf $0  $2 -0 $2  7 $5 1.5e1 $4 0x10 $3 inf", run("SORT l"));
    }

    @Test
    void shouldStoreTheResultInPlaceOfWhatWasThere() {
        run("RPUSH l 3 1 2");
        run("SET d text EX 100");
        assertEquals(":3", run("SORT l STORE d"));
        assertEquals("*3 $1 1 $1 2 $1 3", run("LRANGE d 0 -1"));
        assertEquals(":-1", run("TTL d"));
        assertEquals(":3", run("SORT l DESC STORE l"));
        assertEquals("*3 $1 3 $1 2 $1 1", run("LRANGE l 0 -1"));
        assertEquals(":3", run("SORT l GET x_* STORE d"));
        assertEquals("*3 $0  $0  $0", run("LRANGE d 0 -1"));
        assertEquals(":0", run("SORT nothing STORE d"));
        assertEquals(":0", run("EXISTS d"));
    }

    @Test
    void shouldGiveAStoredSetAnOrder() {
        run("SADD s c a b");
        assertEquals(":3", run("SORT s BY nosort STORE d"));
        assertEquals("*3 $1 a $1 b $1 c", run("LRANGE d 0 -1"));
        assertEquals("*3 $1 a $1 b $1 c",
            redis.run("EVAL", "return redis.call('SORT', KEYS[1], 'BY', 'nosort')", "1", "s"));
    }

    @Test
    void shouldLetOnlyThoseUsePatternsWhoMayReadAllKeys() {
        run("RPUSH l 1");
        redis.run("ACL", "SETUSER", "alice", "on", "nopass", "+sort", "+sort_ro", "~l");
        redis.run("ACL", "SETUSER", "bob", "on", "nopass", "+sort", "%R~*");
        redis.run("AUTH", "alice", "x");
        assertEquals("*1 $1 1", run("SORT l BY nosort"));
        assertEquals("-ERR BY option of SORT denied due to insufficient ACL permissions", run("SORT l BY w_*"));
        assertEquals("-ERR GET option of SORT denied due to insufficient ACL permissions", run("SORT_RO l GET #"));
        assertEquals("-NOPERM No permissions to access a key", run("SORT l STORE d"));
        assertEquals(":1", run("SORT l STORE l"));
        redis.run("ACL", "SETUSER", "default", "nopass");
        redis.run("AUTH", "bob", "x");
        assertEquals("*1 $-1", run("SORT l BY w_* GET w_*"));
        assertEquals("-NOPERM No permissions to access a key", run("SORT l STORE l"));
    }

    @Test
    void shouldNotTakeTheValueOfAnotherOptionForTheKeyThatIsStored() {
        redis.run("ACL", "SETUSER", "alice", "on", "nopass", "+@all", "~l", "~desc", "~store");
        redis.run("RPUSH", "l", "1");
        redis.run("AUTH", "alice", "x");
        assertEquals("-NOPERM No permissions to access a key", run("SORT l STORE secret BY store desc"));
        assertEquals("-NOPERM No permissions to access a key", run("SORT l STORE store STORE secret"));
        assertEquals(":1", run("SORT l STORE store ASC"));
        assertEquals("*1 $5 store", run("COMMAND GETKEYS SORT store ALPHA"));
        assertEquals("*2 $1 l $1 d", run("COMMAND GETKEYS SORT l GET store STORE d BY store ALPHA"));
        assertEquals("*2 $1 l $1 d", run("COMMAND GETKEYS SORT l STORE d LIMIT store store"));
    }

    @Test
    void shouldTellItsKeys() {
        assertEquals("*1 $1 l", run("COMMAND GETKEYS SORT l BY w_*"));
        assertEquals("*2 $1 l $1 e", run("COMMAND GETKEYS SORT l STORE d GET x STORE e"));
        assertEquals("*2 *2 $1 l *2 +RO +access *2 $1 d *2 +OW +update",
            run("COMMAND GETKEYSANDFLAGS SORT l STORE d"));
    }

    @Test
    void shouldRefuseAReplyThatRepeatsWhatIsLarge() {
        redis.run("SET", "w_a", "x".repeat(1 << 20));
        for (int i = 0; i < 100; i++) {
            run("RPUSH l a");
        }
        assertEquals("-ERR the reply would be larger than client-output-buffer-limit", run("SORT l BY nosort GET w_*"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            LCS a b                                  | $6 mytext
            LCS a b LEN                              | :6
            LCS a b IDX MINMATCHLEN 4                | *4 $7 matches *1 *2 *2 :4 :7 *2 :5 :8 $3 len :6
            LCS a b IDX MINMATCHLEN 4 WITHMATCHLEN   | *4 $7 matches *1 *3 *2 :4 :7 *2 :5 :8 :4 $3 len :6
            LCS a n                                  | $0
            LCS i a LEN                              | :0
            LCS a l                                  | -ERR The specified keys must contain string values
            LCS a b NO                               | -ERR syntax error
            LCS a b MINMATCHLEN                      | -ERR syntax error
            LCS a b MINMATCHLEN x                    | -ERR value is not an integer or out of range
            LCS a big                                | $0
            """)
    void shouldFindWhatStringsHaveInCommon(String line, String reply) {
        run("MSET a ohmytext b mynewtext i 42");
        run("RPUSH l 1");
        redis.run("SET", "big", "z".repeat(600));
        assertEquals(reply, run(line));
        assertEquals("*4 $7 matches *2 *2 *2 :4 :7 *2 :5 :8 *2 *2 :2 :3 *2 :0 :1 $3 len :6", run("LCS a b IDX"));
        assertEquals("-ERR If you want both the length and indexes, please just use IDX.", run("LCS a b IDX LEN"));
        assertEquals("-ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len",
            run("LCS big big LEN"));
    }
}
