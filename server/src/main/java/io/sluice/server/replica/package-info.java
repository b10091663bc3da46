/** Replication as the server runs it: roles, sockets, files and the event loop around the sessions. */
package io.sluice.server.replica;
