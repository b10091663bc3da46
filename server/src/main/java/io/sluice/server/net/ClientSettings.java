package io.sluice.server.net;

/** What a client has said of itself, and how it wants to be treated: what {@code CLIENT} sets. */
public final class ClientSettings {
    /** Which replies a client gets, as {@code CLIENT REPLY} sets it. */
    public enum ReplyMode {
        ON,
        OFF,
        /** The next command's reply is left out, then on again. */
        SKIP_NEXT
    }

    private String name = "";
    private String libraryName = "";
    private String libraryVersion = "";
    private ReplyMode replyMode = ReplyMode.ON;
    private boolean noEvict;
    private boolean noTouch;

    /** As {@code RESET} does, which leaves the library's name. */
    public void reset() {
        name = "";
        replyMode = ReplyMode.ON;
        noEvict = false;
        noTouch = false;
    }

    public String name() {
        return name;
    }

    public void name(String newName) {
        name = newName;
    }

    public String libraryName() {
        return libraryName;
    }

    public void libraryName(String value) {
        libraryName = value;
    }

    public String libraryVersion() {
        return libraryVersion;
    }

    public void libraryVersion(String value) {
        libraryVersion = value;
    }

    public ReplyMode replyMode() {
        return replyMode;
    }

    /** Whether the client does not want the reply of the command that it is at. */
    public boolean isMuted() {
        return replyMode != ReplyMode.ON;
    }

    public void replyMode(ReplyMode mode) {
        replyMode = mode;
    }

    public boolean isNoEvict() {
        return noEvict;
    }

    public void noEvict(boolean value) {
        noEvict = value;
    }

    public boolean isNoTouch() {
        return noTouch;
    }

    public void noTouch(boolean value) {
        noTouch = value;
    }
}
