package io.sluice.server.acl;

import io.sluice.resp.Request;
import io.sluice.server.command.CommandSpec;
import io.sluice.server.command.KeySpec;

/**
 * Asks a user's selectors whether one of them allows a request. One per server, on the event loop; it allocates only
 * when a key is longer than every one before.
 */
public final class AccessCheck {
    private static final int SCRATCH_BYTES_INITIAL = 256;

    private byte[] scratch = new byte[SCRATCH_BYTES_INITIAL];
    private int deniedArg;
    private int at;

    /** Why the user may not do this, or null if they may. */
    public Denial check(User user, CommandSpec spec, Request request) {
        if (user.isUnrestricted()) {
            return null;
        }
        Denial worst = Denial.COMMAND;
        int worstArg = 0;
        for (Selector selector : user.selectors()) {
            at = 0;
            Denial denial = check(selector, spec, request);
            if (denial == null) {
                return null;
            }
            if (denial.compareTo(worst) > 0 || denial == worst && at > worstArg) {
                worst = denial;
                worstArg = at;
            }
        }
        deniedArg = worstArg;
        return worst;
    }

    /** The index of the key or channel that the last check denied, 0 if it was the command. */
    public int deniedArg() {
        return deniedArg;
    }

    /** Whether a selector of the user allows this channel or, as a pattern, these. */
    public boolean allowsChannel(User user, byte[] channel, boolean isPattern) {
        for (Selector selector : user.selectors()) {
            if (selector.allowsChannel(channel, channel.length, isPattern)) {
                return true;
            }
        }
        return false;
    }

    /** Whether one of the user's selectors allows the request and to read whatever key. */
    public boolean readsAllKeys(User user, CommandSpec spec, Request request) {
        if (user.isUnrestricted()) {
            return true;
        }
        for (Selector selector : user.selectors()) {
            if (selector.readsAllKeys() && check(selector, spec, request) == null) {
                return true;
            }
        }
        return false;
    }

    private Denial check(Selector selector, CommandSpec spec, Request request) {
        if (!selector.allows(spec, request)) {
            return Denial.COMMAND;
        }
        if (!selector.allowsAllKeys() && !allowsKeys(selector, spec, request)) {
            return Denial.KEY;
        }
        if (spec.firstChannel() > 0 && !selector.allowsAllChannels() && !allowsChannels(selector, spec, request)) {
            return Denial.CHANNEL;
        }
        return null;
    }

    private boolean allowsKeys(Selector selector, CommandSpec spec, Request request) {
        for (int i = 0; i < spec.keySpecs().size(); i++) {
            KeySpec keySpec = spec.keySpecs().get(i);
            int last = keySpec.lastIndex(request);
            int access = spec.keyAccess(i, request);
            if (access < 0) {
                continue;
            }
            for (int key = keySpec.firstIndex(request); key <= last; key += keySpec.keyStep()) {
                if (!selector.allowsKey(bytes(request, key), request.argLength(key), access)) {
                    at = key;
                    return false;
                }
            }
        }
        return true;
    }

    private boolean allowsChannels(Selector selector, CommandSpec spec, Request request) {
        int last = spec.hasManyChannels() ? request.argCount() - 1 : spec.firstChannel();
        for (int channel = spec.firstChannel(); channel <= last; channel++) {
            if (!selector.allowsChannel(bytes(request, channel), request.argLength(channel),
                    spec.hasChannelPatterns())) {
                at = channel;
                return false;
            }
        }
        return true;
    }

    private byte[] bytes(Request request, int arg) {
        int length = request.argLength(arg);
        if (length > scratch.length) {
            scratch = new byte[Math.max(length, 2 * scratch.length)];
        }
        request.buffer().getBytes(request.argOffset(arg), scratch, 0, length);
        return scratch;
    }
}
