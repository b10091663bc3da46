/**
 * Clients as connections. Of each there is a {@code Connection}, what commands see, and a {@code ConnectionHandler},
 * which decides what is executed when. Bytes come in by a {@code QueryBuffer} and go out by an {@code OutputBuffer}.
 */
package io.sluice.server.net;
