package io.sluice.server.command;

import io.sluice.server.command.CommandTester.Client;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class PubSubCommandsTest {
    private static final String RESTRICTED = "only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed "
            + "in this context";

    private final CommandTester redis = new CommandTester();
    private final Client publisher = redis.newClient();
    private final Client subscriber = redis.client();

    @BeforeEach
    void startBuffers() {
        publisher.run("PING");
        subscriber.run("PING");
    }

    @AfterEach
    void close() {
        redis.close();
    }

    /** What has been pushed to a client since it was last asked. */
    private static String pushed(Client client) {
        var bytes = client.connection().reply().buffer();
        String text = bytes.toString(StandardCharsets.ISO_8859_1).replace("\r\n", " ").stripTrailing();
        bytes.clear();
        return text;
    }

    @Test
    void shouldSendMessagesToTheSubscribersOfTheChannel() {
        assertEquals("*3 $9 subscribe $1 a :1 *3 $9 subscribe $1 b :2 *3 $9 subscribe $1 a :2",
                subscriber.run("SUBSCRIBE", "a", "b", "a"));
        assertEquals(":1", publisher.run("PUBLISH", "a", "hello"));
        assertEquals("*3 $7 message $1 a $5 hello", pushed(subscriber));
        assertEquals(":0", publisher.run("PUBLISH", "c", "hello"));
        assertEquals("*3 $11 unsubscribe $1 a :1", subscriber.run("UNSUBSCRIBE", "a"));
        assertEquals(":0", publisher.run("PUBLISH", "a", "hello"));
        assertEquals("", pushed(subscriber));
    }

    @Test
    void shouldSendAMessageOncePerSubscriptionThatMatches() {
        subscriber.run("PSUBSCRIBE", "new*", "ne[a-z]s");
        subscriber.run("SUBSCRIBE", "news");
        assertEquals(":3", publisher.run("PUBLISH", "news", "x"));
        assertEquals("*3 $7 message $4 news $1 x *4 $8 pmessage $4 new* $4 news $1 x "
                + "*4 $8 pmessage $8 ne[a-z]s $4 news $1 x", pushed(subscriber));
        assertEquals(":1", publisher.run("PUBLISH", "newer", ""));
        assertEquals("*4 $8 pmessage $4 new* $5 newer $0", pushed(subscriber));
    }

    @Test
    void shouldPushInTheProtocolOfEachSubscriber() {
        Client modern = redis.newClient();
        modern.run("HELLO", "3");
        assertEquals(">3 $9 subscribe $1 a :1", modern.run("SUBSCRIBE", "a"));
        subscriber.run("SUBSCRIBE", "a");
        assertEquals(":2", publisher.run("PUBLISH", "a", "x"));
        assertEquals(">3 $7 message $1 a $1 x", pushed(modern));
        assertEquals("*3 $7 message $1 a $1 x", pushed(subscriber));
        assertEquals("$-1", modern.run("GET", "k").replace("_", "$-1"));
        assertEquals("+PONG", modern.run("PING"));
        assertEquals(">3 $11 unsubscribe $1 a :0", modern.run("UNSUBSCRIBE"));
        assertEquals(">3 $11 unsubscribe _ :0", modern.run("UNSUBSCRIBE"));
    }

    @Test
    void shouldKeepShardChannelsApart() {
        assertEquals("*3 $10 ssubscribe $1 a :1", subscriber.run("SSUBSCRIBE", "a"));
        assertEquals("*3 $9 subscribe $1 a :1", subscriber.run("SUBSCRIBE", "a"));
        assertEquals(":1", publisher.run("SPUBLISH", "a", "x"));
        assertEquals("*3 $8 smessage $1 a $1 x", pushed(subscriber));
        assertEquals("*1 $1 a", publisher.run("PUBSUB", "SHARDCHANNELS"));
        assertEquals("*4 $1 a :1 $1 b :0", publisher.run("PUBSUB", "SHARDNUMSUB", "a", "b"));
        assertEquals("*3 $12 sunsubscribe $1 a :0", subscriber.run("SUNSUBSCRIBE"));
        assertEquals(":0", publisher.run("SPUBLISH", "a", "x"));
        assertEquals(":1", publisher.run("PUBLISH", "a", "x"));
    }

    @Test
    void shouldConfirmTheEndOfEverySubscriptionOrOfNone() {
        subscriber.run("SUBSCRIBE", "a", "b");
        subscriber.run("PSUBSCRIBE", "p*");
        assertEquals("*3 $11 unsubscribe $1 a :2 *3 $11 unsubscribe $1 b :1", subscriber.run("UNSUBSCRIBE"));
        assertEquals("*3 $11 unsubscribe $-1 :1", subscriber.run("UNSUBSCRIBE"));
        assertEquals("*3 $11 unsubscribe $1 z :1", subscriber.run("UNSUBSCRIBE", "z"));
        assertEquals("*3 $12 punsubscribe $2 p* :0", subscriber.run("PUNSUBSCRIBE"));
        assertEquals("*3 $12 punsubscribe $-1 :0", subscriber.run("PUNSUBSCRIBE"));
        assertEquals("*3 $12 sunsubscribe $-1 :0", subscriber.run("SUNSUBSCRIBE"));
        assertEquals("+PONG", subscriber.run("PING"));
    }

    @Test
    void shouldAllowASubscribedClientOfTheOldProtocolOnlyWhatItMayDo() {
        subscriber.run("SUBSCRIBE", "a");
        assertEquals("-ERR Can't execute 'get': " + RESTRICTED, subscriber.run("GET", "k"));
        assertEquals("-ERR Can't execute 'pubsub|numsub': " + RESTRICTED, subscriber.run("PUBSUB", "NUMSUB"));
        assertEquals("-ERR Can't execute 'publish': " + RESTRICTED, subscriber.run("PUBLISH", "a", "x"));
        assertEquals("*2 $4 pong $0", subscriber.run("PING"));
        assertEquals("*2 $4 pong $2 hi", subscriber.run("PING", "hi"));
        assertEquals("*3 $10 ssubscribe $1 s :1", subscriber.run("SSUBSCRIBE", "s"));
        subscriber.run("UNSUBSCRIBE");
        assertEquals("-ERR Can't execute 'get': " + RESTRICTED, subscriber.run("GET", "k"));
        subscriber.run("SUNSUBSCRIBE");
        assertEquals("$-1", subscriber.run("GET", "k"));
    }

    @Test
    void shouldLeaveEverythingAtReset() {
        subscriber.run("SUBSCRIBE", "a");
        subscriber.run("PSUBSCRIBE", "a*");
        subscriber.run("SSUBSCRIBE", "a");
        assertEquals("+RESET", subscriber.run("RESET"));
        assertEquals(":0", publisher.run("PUBLISH", "a", "x"));
        assertEquals(":0", publisher.run("SPUBLISH", "a", "x"));
        assertEquals("$-1", subscriber.run("GET", "k"));
    }

    @Test
    void shouldForgetClientsThatAreGone() {
        subscriber.run("SUBSCRIBE", "a");
        subscriber.run("PSUBSCRIBE", "a*");
        redis.dispatcher().closed(subscriber.connection());
        assertEquals(":0", publisher.run("PUBLISH", "a", "x"));
        assertEquals("*0", publisher.run("PUBSUB", "CHANNELS"));
        assertEquals(":0", publisher.run("PUBSUB", "NUMPAT"));
    }

    @Test
    void shouldTellWhatIsSubscribedTo() {
        subscriber.run("SUBSCRIBE", "news", "sport");
        subscriber.run("PSUBSCRIBE", "n*", "*");
        Client other = redis.newClient();
        other.run("SUBSCRIBE", "news");
        other.run("PSUBSCRIBE", "n*");
        assertEquals("*2 $4 news $5 sport", publisher.run("PUBSUB", "CHANNELS"));
        assertEquals("*1 $4 news", publisher.run("PUBSUB", "CHANNELS", "n*"));
        assertEquals("*6 $4 news :2 $5 sport :1 $1 x :0", publisher.run("PUBSUB", "NUMSUB", "news", "sport", "x"));
        assertEquals("*0", publisher.run("PUBSUB", "NUMSUB"));
        assertEquals(":2", publisher.run("PUBSUB", "NUMPAT"));
        assertEquals("-ERR unknown subcommand or wrong number of arguments for 'channels'. Try PUBSUB HELP.",
                publisher.run("PUBSUB", "channels", "a", "b"));
        String info = publisher.run("INFO", "stats");
        assertTrue(info.contains("pubsub_channels:2 pubsub_patterns:2 pubsubshard_channels:0"), info);
    }

    @Test
    void shouldShowSubscribersAsSuchInTheirClientLine() {
        redis.parts().clients();
        subscriber.run("SSUBSCRIBE", "s", "t");
        subscriber.run("SUBSCRIBE", "a");
        subscriber.run("PSUBSCRIBE", "p");
        subscriber.connection().reply().protocol(3);
        String line = subscriber.run("CLIENT", "INFO");
        assertTrue(line.contains(" flags=P ") && line.contains(" sub=1 psub=1 ssub=2 "), line);
        assertEquals(ClientType.PUBSUB, ClientType.of(subscriber.connection()));
    }

    @Test
    void shouldSubscribeAndPublishInsideATransaction() {
        subscriber.run("HELLO", "3");
        subscriber.run("MULTI");
        assertEquals("+QUEUED", subscriber.run("SUBSCRIBE", "a"));
        assertEquals("+QUEUED", subscriber.run("PUBLISH", "a", "x"));
        assertEquals("*2 >3 $9 subscribe $1 a :1 :1 >3 $7 message $1 a $1 x", subscriber.run("EXEC"));
    }

    @Test
    void shouldSendAClientItsOwnMessageBehindTheReply() {
        subscriber.run("HELLO", "3");
        subscriber.run("SUBSCRIBE", "a");
        assertEquals(":1 >3 $7 message $1 a $1 x", subscriber.run("PUBLISH", "a", "x"));
    }

    @Test
    void shouldPushEvenWhereRepliesAreOff() {
        subscriber.run("HELLO", "3");
        assertEquals("", subscriber.run("CLIENT", "REPLY", "OFF"));
        assertEquals(">3 $9 subscribe $1 a :1", subscriber.run("SUBSCRIBE", "a"));
        assertEquals("", subscriber.run("SUBSCRIBE"));
        assertEquals(">3 $7 message $1 a $1 x", subscriber.run("PUBLISH", "a", "x"));
    }

    @Test
    void shouldRefuseSubscriptionsBeyondTheirMemory() {
        String name = "x".repeat(60_000);
        int fitting = 0;
        while (!subscriber.run("SUBSCRIBE", "a" + fitting, name + fitting).startsWith("-")) {
            fitting++;
            assertTrue(fitting < 10_000, "there is no limit");
        }
        assertTrue(fitting > 1_000, "only " + fitting);
        assertEquals("-ERR too many subscriptions", subscriber.run("SUBSCRIBE", "a", name));
        assertEquals("*2 $1 a :0", publisher.run("PUBSUB", "NUMSUB", "a"));
        subscriber.run("UNSUBSCRIBE", name + 0);
        assertFalse(subscriber.run("SUBSCRIBE", name + 0).startsWith("-"));
        subscriber.run("RESET");
        assertTrue(subscriber.run("SUBSCRIBE", name).startsWith("*3"));
    }

    @Test
    void shouldTakeAnyBytesAsNamesAndMessages() {
        subscriber.run("SUBSCRIBE", "", "a\r\nb\0");
        assertEquals(":1", publisher.run("PUBLISH", "", "x\r\n"));
        assertEquals("*3 $7 message $0  $3 x", pushed(subscriber).replaceAll(" +$", ""));
        assertEquals(":1", publisher.run("PUBLISH", "a\r\nb\0", ""));
        assertEquals(":0", publisher.run("PUBLISH", "a\r\nb", ""));
    }
}
