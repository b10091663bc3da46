/** The server's log in Redis's form, and what brings SLF4J to it. */
package io.sluice.server.log;
