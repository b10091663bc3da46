/** The server as a whole: how it starts, what it does regularly, and how it stops. */
package io.sluice.server;
