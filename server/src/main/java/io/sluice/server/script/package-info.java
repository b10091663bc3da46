/**
 * What surrounds the Lua engine: the scripts and functions that are known, the {@code redis} table that they see, the
 * values that go in and out, and the time they may take. Owned by the event loop.
 */
package io.sluice.server.script;
