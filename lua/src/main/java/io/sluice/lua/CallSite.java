package io.sluice.lua;

/**
 * Where a call is in the source and how it names the function, for messages.
 *
 * @param line the line
 * @param kind "local", "global", "method", "field", "upvalue"; null when the callee has no name
 * @param name the callee's name there
 */
record CallSite(int line, String kind, String name) {

    /**
     * The text of an error about an argument, which names the function as the script called it.
     *
     * @param site where it was called; null if that is not known
     * @param number the argument, from 1
     * @param problem what is wrong with it
     */
    static String badArgument(CallSite site, int number, String problem) {
        int shown = number;
        if (site != null && "method".equals(site.kind)) {
            shown--;
            if (shown == 0) {
                return "calling '" + site.name + "' on bad self (" + problem + ")";
            }
        }
        String name = site == null || site.name == null ? "?" : site.name;
        return "bad argument #" + shown + " to '" + name + "' (" + problem + ")";
    }
}
